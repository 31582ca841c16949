//go:build ignore

// Mistake: The informer keeps the handler that panicked last, for a message that nobody writes, also when
//   it was removed.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

import (
	"sync"
	"sync/atomic"
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

	panicked atomic.Pointer[listener[T]] // the last that has
}

func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrStopped
	}
	l := newListener(handler, s.options.Queue.HasSynced, s.options.OnPanic)
	l.onPanic = s.remembering(l)
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

// remembering is the OnPanic of a listener.
func (s *SharedInformer[T]) remembering(l *listener[T]) func(value any) {
	return func(value any) {
		s.panicked.Store(l)
		if s.options.OnPanic != nil {
			s.options.OnPanic(value)
		}
	}
}
