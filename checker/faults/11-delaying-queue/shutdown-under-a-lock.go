//go:build ignore

// Mistake: ShutDown holds the lock of the end while it calls the queue underneath, and a drain waits for that lock.
// Killed by: shutdown-releases-producers
// Verdict: wrong-answer

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
	ending   sync.Mutex
}

func (d *DelayingQueue[T]) ShutDown() {
	d.ending.Lock()
	defer d.ending.Unlock()
	d.Queue.ShutDown()
	d.end()
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.ending.Lock()
	d.end()
	d.ending.Unlock()
	d.Queue.ShutDownWithDrain()
}
