//go:build ignore

// Mistake: Whether the informer has stopped is looked at before the lock is taken, so a handler can join when
//   all others were just stopped, and is never stopped itself.
// Killed by: stop-in-a-storm
// Verdict: data-race

package informer

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	if s.stopped {
		return nil, ErrStopped
	}
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
