//go:build ignore

// Mistake: ShutDown gives callers that are in an Add of the queue underneath five seconds to return.
// Killed by: shutdown-releases-producers
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
	callers  atomic.Int32
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.callers.Add(1)
		defer d.callers.Add(-1)
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
	d.end()
	for range 500 {
		if d.callers.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
