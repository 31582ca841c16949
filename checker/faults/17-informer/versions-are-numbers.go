//go:build ignore

// Mistake: Resource versions are read as numbers: two that are none, or too large, are the same.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	was, _ := strconv.ParseUint(old.GetResourceVersion(), 10, 64)
	is, _ := strconv.ParseUint(d.Object.GetResourceVersion(), 10, 64)
	s.distribute(updated(old, d.Object), was == is)
	return nil
}
