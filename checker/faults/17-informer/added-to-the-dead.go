//go:build ignore

// Mistake: An informer that has stopped accepts handlers, and their goroutines wait for ever for something to
//   happen.
// Killed by: add-after-stop
// Verdict: wrong-answer

package informer

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := newListener(handler, s.options.Queue.HasSynced, s.options.OnPanic)
	l.resyncEvery(s.allowed(resyncPeriod), time.Now())
	s.listeners = append(s.listeners, l)
	if s.started {
		for _, obj := range s.options.Indexer.List() {
			l.add(added(obj, true))
		}
		s.running.Go(l.run)
	}
	return l, nil
}
