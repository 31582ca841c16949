//go:build ignore

// Mistake: The condition variable belongs to the package, and Signal wakes the Pop of another queue.
// Killed by: pop-waits
// Verdict: wrong-answer

package deltafifo

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var (
	lock   sync.Mutex
	queued = sync.NewCond(&lock)
)

type DeltaFIFO[T kit.Object] struct {
	known     kit.KnownObjects[T]
	transform func(obj T) (T, error)

	mu      *sync.Mutex
	arrived *sync.Cond

	items map[string]kit.Deltas[T]
	queue []string
	most  int

	begun   bool
	initial int
	closed  bool
}

func New[T kit.Object](options Options[T]) *DeltaFIFO[T] {
	return &DeltaFIFO[T]{
		known:     options.KnownObjects,
		transform: options.Transformer,
		mu:        &lock,
		arrived:   queued,
		items:     make(map[string]kit.Deltas[T]),
	}
}
