//go:build ignore

// Mistake: Callers of AddAfter with no delay share one Add, if they ask for the same item at once. One of them may be the worker that the item
//   was handed to.
// Killed by: again-before-add-returns
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

	underWay sync.Map
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		added := make(chan struct{})
		if other, shared := d.underWay.LoadOrStore(item, added); shared {
			select {
			case <-other.(chan struct{}):
			case <-d.stop:
			}
			return
		}
		d.Add(item)
		d.underWay.Delete(item)
		close(added)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}
