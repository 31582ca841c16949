//go:build ignore

// Mistake: A flag says that the queue is shut down, and a drain sets it when it has returned.
// Killed by: shutdown-drops-what-waits
// Verdict: wrong-answer

package delayingqueue

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once
	shut     atomic.Bool
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.shut.Load() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) ShutDown() {
	d.Queue.ShutDown()
	d.shut.Store(true)
	d.end()
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
	d.shut.Store(true)
}
