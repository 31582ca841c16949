//go:build ignore

// Mistake: The informer remembers the version of each object that handlers have heard of. If an object is
//   deleted and comes back with the same version, they hear nothing.
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
	seen        map[string]string
}

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	if s.seen == nil {
		s.seen = map[string]string{}
	}
	key, version := kit.Key(d.Object), d.Object.GetResourceVersion()
	old, exists := s.options.Indexer.Get(d.Object)
	if !exists && version != "" && s.seen[key] == version {
		return s.options.Indexer.Add(d.Object)
	}
	s.seen[key] = version
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
	// Not d.Type: what a list brings may be news (kubernetes#86015).
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	s.distribute(updated(old, d.Object), isSync)
	return nil
}
