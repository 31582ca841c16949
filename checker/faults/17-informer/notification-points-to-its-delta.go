//go:build ignore

// Mistake: A notification points to its delta, which is one place of the slice that Pop has passed, and so it keeps the
//   whole slice.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

type notification[T kit.Object] struct {
	old, obj T
	kind     kind
	flag     bool
	delta    *kit.Delta[T]
}

func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range deltas {
		if err := s.applyOne(&deltas[i], isInInitialList); err != nil {
			return err
		}
	}
	return nil
}

func (s *SharedInformer[T]) applyOne(d *kit.Delta[T], isInInitialList bool) error {
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown).of(d), false)
		return nil
	}
	old, exists := s.options.Indexer.Get(d.Object)
	if !exists {
		if err := s.options.Indexer.Add(d.Object); err != nil {
			return err
		}
		s.distribute(added(d.Object, isInInitialList).of(d), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object).of(d), isSync)
	return nil
}

func (n notification[T]) of(d *kit.Delta[T]) notification[T] {
	n.delta = d
	return n
}
