//go:build ignore

// Mistake: If the final state of an object is unknown, the Indexer knows best: OnDelete gets what is stored there.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	old, exists := s.options.Indexer.Get(d.Object)
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		if exists && d.FinalStateUnknown {
			d.Object = old
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
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
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
