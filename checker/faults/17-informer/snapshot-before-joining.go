//go:build ignore

// Mistake: The Indexer is read before the lock is taken. A change between the two is missed.
// Killed by: late-handler-in-a-storm
// Verdict: wrong-answer

package informer

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	stored := s.options.Indexer.List()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrStopped
	}
	l := newListener(handler, s.options.Queue.HasSynced, s.options.OnPanic)
	l.resyncEvery(s.allowed(resyncPeriod), time.Now())
	s.listeners = append(s.listeners, l)
	if s.started {
		for _, obj := range stored {
			l.add(added(obj, true))
		}
		s.running.Go(l.run)
	}
	return l, nil
}
