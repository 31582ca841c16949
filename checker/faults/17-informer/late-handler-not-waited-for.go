//go:build ignore

// Mistake: Run waits for the handlers that it has started, and one that comes later starts by itself.
// Killed by: run-joins-everything
// Verdict: wrong-answer

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
		go l.run()
	}
	return l, nil
}
