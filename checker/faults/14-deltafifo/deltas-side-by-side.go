//go:build ignore

// Mistake: The first deltas of keys stand side by side in one array, to spare allocations; what a caller
//   appends to its deltas lands in those of the next key.
// Killed by: deltas-belong-to-the-caller
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
	room  kit.Deltas[T]

	begun   bool
	initial int
	closed  bool
}

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	if pending {
		f.items[key] = merge(deltas[:len(deltas):len(deltas)], d)
		return
	}
	if len(f.room) == cap(f.room) {
		f.room = make(kit.Deltas[T], 0, 64)
	}
	f.room = append(f.room, d)
	f.items[key] = f.room[len(f.room)-1:]
	f.queue = append(f.queue, key)
	f.most = max(f.most, len(f.queue))
	f.arrived.Signal()
}
