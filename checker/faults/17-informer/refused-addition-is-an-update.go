//go:build ignore

// Mistake: If the Indexer does not take an addition, it is tried as an update, and handlers hear of what was refused.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	indexer := s.options.Indexer
	if d.Type == kit.DeltaDeleted {
		if err := indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	old, exists := indexer.Get(d.Object)
	if !exists {
		if indexer.Add(d.Object) != nil {
			if err := indexer.Update(d.Object); err != nil {
				return err
			}
		}
		s.distribute(added(d.Object, isInInitialList), false)
		return nil
	}
	if err := indexer.Update(d.Object); err != nil {
		return err
	}
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
