//go:build ignore

// Mistake: Run waits for a handler that was added during Run until that handler has ended or was removed,
//   and not for the call in which it was removed.
// Killed by: run-joins-everything
// Verdict: wrong-answer

package informer

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type listener[T kit.Object] struct {
	handler        kit.ResourceEventHandler[T]
	upstreamSynced func() bool
	onPanic        func(value any)

	// Guarded by the informer's mu.
	resyncPeriod time.Duration
	nextResync   time.Time
	syncing      bool // the last check found a resync due

	wake chan struct{} // has room for one: a bell that stays rung
	gone chan struct{} // closed when the handler is to be called no more
	left func()        // counts the listener out, once

	finished chan struct{} // closed when it will be called no more

	mu      sync.Mutex // guards the fields below; never held while the handler is called
	pending []notification[T]
	initial int // initial OnAdds that have not returned, pending ones and the one under way
}

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
		s.running.Add(1)
		l.left = sync.OnceFunc(s.running.Done)
		go func() {
			defer l.left()
			l.run()
		}()
	}
	return l, nil
}

func (s *SharedInformer[T]) RemoveEventHandler(registration kit.Registration) error {
	l, ok := registration.(*listener[T])
	if !ok {
		return errors.New("informer: not a registration of an informer of this type")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.listeners, l)
	if i < 0 {
		return nil
	}
	s.listeners = slices.Delete(s.listeners, i, i+1)
	if s.started {
		l.stop()
		if l.left != nil {
			l.left()
		}
	} else {
		l.neverRun()
	}
	return nil
}
