//go:build ignore

// Mistake: A drain waits for the callers that are in AddAfter, one of which is in a slow Add of the queue underneath.
// Killed by: drain-is-the-queues
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
	calls    sync.RWMutex
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.calls.RLock()
		defer d.calls.RUnlock()
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.calls.Lock()
	d.calls.Unlock()
	d.Queue.ShutDownWithDrain()
}
