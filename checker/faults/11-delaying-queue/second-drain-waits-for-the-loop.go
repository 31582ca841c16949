//go:build ignore

// Mistake: The first ShutDownWithDrain tells the loop to end, and a second one waits until it has, which may be in a slow Add.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

import (
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once

	ended chan struct{}
	calls atomic.Int32
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		ended:    make(chan struct{}),
	}
	go func() {
		defer close(d.ended)
		d.loop()
	}()
	return d
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
	if d.calls.Add(1) > 1 {
		<-d.ended
	}
}
