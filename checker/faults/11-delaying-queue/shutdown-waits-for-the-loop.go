//go:build ignore

// Mistake: ShutDown waits for the loop, and the loop for an Add of the queue underneath that only the caller
//   of ShutDown could end (the shape of kubernetes#97323).
// Killed by: shutdown-releases-producers
// Verdict: deadlock

package delayingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once
	over     sync.WaitGroup
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
	}
	d.over.Go(d.loop)
	return d
}

func (d *DelayingQueue[T]) ShutDown() {
	d.Queue.ShutDown()
	d.end()
	d.over.Wait()
}
