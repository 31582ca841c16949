//go:build ignore

// Mistake: HasSynced should not have to wait for a slow process, so it reads a flag, which Pop sets before it
//   calls process: the last object of the first list is not in the cache yet.
// Killed by: synced-by-the-first-list
// Verdict: wrong-answer

package deltafifo

import (
	"sync"
	"sync/atomic"

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

	synced atomic.Bool
}

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
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
	f.synced.Store(f.hasSynced())
	return deltas, process(deltas, isInInitialList)
}

func (f *DeltaFIFO[T]) HasSynced() bool {
	if !f.mu.TryLock() {
		return f.synced.Load()
	}
	defer f.mu.Unlock()
	return f.hasSynced()
}
