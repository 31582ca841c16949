//go:build ignore

// Mistake: An object whose generation is the same counts as unchanged if a list brings it, though its status has changed.
// Killed by: the-store-decides
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
		s.distribute(added(d.Object, isInInitialList), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	if d.Type == kit.DeltaReplaced && d.Object.GetGeneration() > 0 {
		isSync = old.GetGeneration() == d.Object.GetGeneration()
	}
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
