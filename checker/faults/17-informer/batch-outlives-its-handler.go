//go:build ignore

// Mistake: The batch that the goroutine works through is a field, which a removal does not clear: the registration keeps the rest
//   of it.
// Killed by: gives-memory-back
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

	batch []notification[T] // run alone uses it

	mu      sync.Mutex
	pending []notification[T]
	initial int
}

func (l *listener[T]) run() {
	defer close(l.finished)
	for l.work(l.batch) {
		l.batch = l.pop(l.batch)
		if len(l.batch) == 0 && !l.wait() {
			return
		}
	}
}
