//go:build ignore

// Mistake: The informer keeps objects of its own to tell an addition from an update, and forgets one before
//   the Indexer has deleted it, which may refuse.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type SharedInformer[T kit.Object] struct {
	options Options[T]

	running sync.WaitGroup // the goroutines of the listeners, removed ones too

	mu          sync.Mutex // guards everything below, and all writing to the Indexer
	started     bool
	stopped     bool
	checkPeriod time.Duration
	listeners   []*listener[T]
	known       map[string]T
}

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	if s.known == nil {
		s.known = map[string]T{}
	}
	key := kit.Key(d.Object)
	if d.Type == kit.DeltaDeleted {
		delete(s.known, key)
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	old, exists := s.known[key]
	if !exists {
		if err := s.options.Indexer.Add(d.Object); err != nil {
			return err
		}
		s.known[key] = d.Object
		s.distribute(added(d.Object, isInInitialList), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	s.known[key] = d.Object
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
