//go:build ignore

// Mistake: Handlers are notified first and the Indexer is updated afterwards: both happen under one lock
//   anyway.
// Killed by: store-before-notification
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
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object), isSync)
	return s.options.Indexer.Update(d.Object)
}
