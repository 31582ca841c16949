//go:build ignore

// Mistake: The first ShutDown tells the loop to end, and a second one waits until it has, which may be in a slow Add.
// Killed by: shutdown-releases-producers
// Verdict: deadlock

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

func (d *DelayingQueue[T]) ShutDown() {
	d.Queue.ShutDown()
	d.end()
	if d.calls.Add(1) > 1 {
		<-d.ended
	}
}
