//go:build ignore

// Mistake: ShutDown gives the loop five seconds to end, and the loop is in an Add of the queue underneath.
// Killed by: shutdown-releases-producers
// Verdict: wrong-answer

package delayingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once
	over     chan struct{} // closed by the end of the loop
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		over:     make(chan struct{}),
	}
	go func() {
		defer close(d.over)
		d.loop()
	}()
	return d
}

func (d *DelayingQueue[T]) ShutDown() {
	d.Queue.ShutDown()
	d.end()
	select {
	case <-d.over:
	case <-time.After(5 * time.Second):
	}
}
