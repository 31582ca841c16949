//go:build ignore

// Mistake: All drains share one call of the queue underneath, in a Once: who comes after it has returned, because
//   ShutDown ended it, returns at once, while a worker still holds an item.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming  chan delayed[T]
	stop      chan struct{}
	stopOnce  sync.Once
	drainOnce sync.Once
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.drainOnce.Do(d.Queue.ShutDownWithDrain)
}
