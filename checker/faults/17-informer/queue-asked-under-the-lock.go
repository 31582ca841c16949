//go:build ignore

// Mistake: Under its own lock the informer asks the Queue, whose Pop holds the lock of the Queue and waits
//   for that of the informer.
// Killed by: late-handler-in-a-storm
// Verdict: deadlock

package informer

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrStopped
	}
	l := newListener(handler, s.options.Queue.HasSynced, s.options.OnPanic)
	l.resyncEvery(s.allowed(resyncPeriod), time.Now())
	s.listeners = append(s.listeners, l)
	if s.started {
		for _, obj := range s.options.Indexer.List() {
			l.add(added(obj, true))
		}
		s.running.Go(l.run)
		_ = l.HasSynced()
	}
	return l, nil
}
