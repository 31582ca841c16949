//go:build ignore

// Mistake: Once a drain has returned, the queue underneath is down, and ShutDown need not call it. Another drain may be
//   under way.
// Killed by: shutdown-aborts-a-drain
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
	drained  atomic.Bool
}

func (d *DelayingQueue[T]) ShutDown() {
	if !d.drained.Load() {
		d.Queue.ShutDown()
	}
	d.end()
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
	d.drained.Store(true)
}
