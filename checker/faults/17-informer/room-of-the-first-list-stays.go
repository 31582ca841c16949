//go:build ignore

// Mistake: The buffer becomes small again after a burst of changes, and a list of all objects is not taken for a burst.
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

	mu      sync.Mutex
	pending []notification[T]
	initial int
	burst   bool
}

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	} else if len(l.pending) > keptRoom {
		l.burst = true
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *listener[T]) pop(spent []notification[T]) []notification[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cap(spent) > keptRoom && l.burst {
		spent = nil
	}
	batch := l.pending
	l.pending = spent[:0]
	return batch
}
