//go:build ignore

// Mistake: The loop ends when a drain begins, and who blocks in AddAfter is released when it is over. The drain may wait for a worker that
//   blocks there.
// Killed by: drain-releases-producers
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

	released    chan struct{}
	releaseOnce sync.Once
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		released: make(chan struct{}),
	}
	go d.loop()
	return d
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.released:
	}
}

func (d *DelayingQueue[T]) letGo() {
	d.releaseOnce.Do(func() { close(d.released) })
}

func (d *DelayingQueue[T]) ShutDown() {
	d.Queue.ShutDown()
	d.end()
	d.letGo()
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
	d.letGo()
}
