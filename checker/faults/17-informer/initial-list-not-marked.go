//go:build ignore

// Mistake: What the Queue says about the initial list is dropped; only late handlers hear which additions are
//   old.
// Killed by: every-handler-hears-everything
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	old, exists := s.options.Indexer.Get(d.Object)
	if !exists {
		if err := s.options.Indexer.Add(d.Object); err != nil {
			return err
		}
		s.distribute(added(d.Object, false), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
