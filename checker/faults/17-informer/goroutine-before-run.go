//go:build ignore

// Mistake: A handler's goroutine only waits for notifications before Run, so it can start as soon as the
//   handler is added. If nobody calls Run, nothing ends it.
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
	}
	s.running.Go(l.run)
	return l, nil
}

func (s *SharedInformer[T]) start() (checkPeriod time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return 0, false
	}
	s.started = true
	return s.checkPeriod, true
}

func (l *listener[T]) neverRun() { l.stop() }
