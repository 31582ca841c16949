//go:build ignore

// Mistake: The Pops take turns under a lock of their own, which one holds while it waits, too, and HasSynced asks
//   between two of them.
// Killed by: synced-by-anything-else
// Verdict: deadlock

package deltafifo

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DeltaFIFO[T kit.Object] struct {
	consumers sync.Mutex // held by the one Pop whose turn it is

	known     kit.KnownObjects[T] // asked only while mu is held; may be nil
	transform func(obj T) (T, error)

	mu      sync.Mutex // guards everything below, and is held while process runs
	arrived sync.Cond  // a key was queued, or the queue was closed

	// A key is in queue exactly if it is in items, and there once. Its deltas are
	// never empty.
	items map[string]kit.Deltas[T]
	queue []string
	most  int // the largest length of queue since it last started afresh

	begun   bool // something has said what there is: an observation, or a first Replace
	initial int  // how many keys of the first Replace are still to be popped
	closed  bool
}

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.consumers.Lock()
	defer f.consumers.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
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

func (f *DeltaFIFO[T]) HasSynced() bool {
	f.consumers.Lock()
	defer f.consumers.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hasSynced()
}
