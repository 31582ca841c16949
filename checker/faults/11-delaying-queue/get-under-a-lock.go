//go:build ignore

// Mistake: Workers take items one at a time, under a lock that Done takes too: while one waits in Get, no other can be done.
// Killed by: the-rest-is-the-queues
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
	workers  sync.Mutex
}

func (d *DelayingQueue[T]) Get() (item T, shutdown bool) {
	d.workers.Lock()
	defer d.workers.Unlock()
	return d.Queue.Get()
}

func (d *DelayingQueue[T]) Done(item T) {
	d.workers.Lock()
	defer d.workers.Unlock()
	d.Queue.Done(item)
}
