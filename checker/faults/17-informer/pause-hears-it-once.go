//go:build ignore

// Mistake: The removal of a handler is a signal to the pause, and nobody gets it if the handler is still in the call that
//   panics.
// Killed by: remove-in-the-pause
// Verdict: wrong-answer

package informer

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type listener[T kit.Object] struct {
	handler        kit.ResourceEventHandler[T]
	upstreamSynced func() bool
	onPanic        func(value any)

	resyncPeriod time.Duration
	nextResync   time.Time
	syncing      bool

	wake     chan struct{}
	gone     chan struct{}
	finished chan struct{}
	hurry    chan struct{}

	mu      sync.Mutex
	pending []notification[T]
	initial int
}

func newListener[T kit.Object](handler kit.ResourceEventHandler[T], upstreamSynced func() bool, onPanic func(value any)) *listener[T] {
	return &listener[T]{
		handler:        handler,
		upstreamSynced: upstreamSynced,
		onPanic:        onPanic,
		wake:           make(chan struct{}, 1),
		gone:           make(chan struct{}),
		finished:       make(chan struct{}),
		hurry:          make(chan struct{}),
	}
}

func (l *listener[T]) stop() {
	close(l.gone)
	select {
	case l.hurry <- struct{}{}:
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = nil
}

func (l *listener[T]) pause() bool {
	select {
	case <-time.After(afterPanic):
		return true
	case <-l.hurry:
		return false
	}
}
