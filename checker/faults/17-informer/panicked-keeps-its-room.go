//go:build ignore

// Mistake: The buffer is given up when the handler has worked well, so that of a handler that has panicked
//   once keeps its largest size.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

import (
	"sync"
	"sync/atomic"
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

	wake     chan struct{} // has room for one: a bell that stays rung
	gone     chan struct{} // closed when the handler is to be called no more
	panicked atomic.Bool

	finished chan struct{} // closed when it will be called no more

	mu      sync.Mutex // guards the fields below; never held while the handler is called
	pending []notification[T]
	initial int // initial OnAdds that have not returned, pending ones and the one under way
}

func (l *listener[T]) call(n notification[T]) (returned bool) {
	defer func() {
		if returned {
			return
		}
		value := recover()
		l.panicked.Store(true)
		if value != nil && l.onPanic != nil {
			l.onPanic(value)
		}
	}()
	n.tell(l.handler)
	if n.initial() {
		l.mu.Lock()
		l.initial--
		l.mu.Unlock()
	}
	return true
}

func (l *listener[T]) pop(spent []notification[T]) []notification[T] {
	if cap(spent) > keptRoom && !l.panicked.Load() {
		spent = nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	batch := l.pending
	l.pending = spent[:0]
	return batch
}
