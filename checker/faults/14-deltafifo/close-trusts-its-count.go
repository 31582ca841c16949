//go:build ignore

// Mistake: The Pops that wait are counted, each key takes one off the count, and Close wakes them if some are left.
//   One that wakes in vain waits on and is not counted again.
// Killed by: close-ends-the-queue
// Verdict: wrong-answer

package deltafifo

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DeltaFIFO[T kit.Object] struct {
	known     kit.KnownObjects[T]
	transform func(obj T) (T, error)

	mu      sync.Mutex
	arrived sync.Cond

	items map[string]kit.Deltas[T]
	queue []string
	most  int

	begun   bool
	initial int
	closed  bool
	waiting int
}

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.waiting = max(0, f.waiting-1)
		f.arrived.Signal()
	}
}

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 && !f.closed {
		f.waiting++
	}
	for len(f.queue) == 0 {
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
		f.arrived.Wait()
	}
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.waiting > 0 {
		f.arrived.Broadcast()
	}
}
