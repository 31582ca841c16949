//go:build ignore

// Mistake: Handlers are notified when all deltas of an object are in the Indexer, and if it refuses the second, nobody
//   ever hears of the first.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) apply(deltas kit.Deltas[T], isInInitialList bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var tell []func()
	for _, d := range deltas {
		if err := s.applyOne(d, isInInitialList, &tell); err != nil {
			return err
		}
	}
	for _, f := range tell {
		f()
	}
	return nil
}

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool, tell *[]func()) error {
	later := func(n notification[T], isSync bool) {
		*tell = append(*tell, func() { s.distribute(n, isSync) })
	}
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		later(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	old, exists := s.options.Indexer.Get(d.Object)
	if !exists {
		if err := s.options.Indexer.Add(d.Object); err != nil {
			return err
		}
		later(added(d.Object, isInInitialList), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	later(updated(old, d.Object), old.GetResourceVersion() == d.Object.GetResourceVersion())
	return nil
}
