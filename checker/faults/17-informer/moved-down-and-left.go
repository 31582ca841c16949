//go:build ignore

// Mistake: A buffer that is full, and whose front half is used up, is moved down to make room. What was copied
//   still stands behind the new end, and if the buffer is not filled again, it stays there.
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
	head    int // pending[:head] was taken
	initial int
}

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	if len(l.pending) == cap(l.pending) && l.head > len(l.pending)/2 {
		l.pending = l.pending[:copy(l.pending, l.pending[l.head:])]
		l.head = 0
	}
	l.pending = append(l.pending, n)
	if n.initial() {
		l.initial++
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// pop takes the first that is pending, as a batch of one.
func (l *listener[T]) pop(spent []notification[T]) []notification[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.head == len(l.pending) {
		return spent[:0]
	}
	spent = append(spent[:0], l.pending[l.head])
	l.pending[l.head] = notification[T]{}
	l.head++
	if l.head == len(l.pending) {
		l.pending, l.head = l.pending[:0], 0
		if cap(l.pending) > keptRoom {
			l.pending = nil
		}
	}
	return spent
}

func (l *listener[T]) stop() {
	close(l.gone)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending, l.head = nil, 0
}
