//go:build ignore

// Mistake: AddAfter holds a read lock, so that no item is added after the shutdown, and ShutDown takes the write
//   lock: it waits for an Add that only the caller of ShutDown could end.
// Killed by: shutdown-releases-producers
// Verdict: deadlock

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
	direct   sync.RWMutex
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.direct.RLock()
		defer d.direct.RUnlock()
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) ShutDown() {
	d.direct.Lock()
	defer d.direct.Unlock()
	d.Queue.ShutDown()
	d.end()
}
