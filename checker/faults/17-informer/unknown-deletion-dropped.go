//go:build ignore

// Mistake: A deletion is passed on only if the Indexer has the object.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	if d.Type == kit.DeltaDeleted {
		if _, exists := s.options.Indexer.Get(d.Object); !exists {
			return nil
		}
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
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
