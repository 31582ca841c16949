//go:build ignore

// Mistake: The list of known keys is asked for once and then taken for granted.
// Killed by: resync-skips-the-pending
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

	knownKeys []string
}

func (f *DeltaFIFO[T]) eachIdle(visit func(key string, obj T)) {
	if f.known == nil {
		return
	}
	if f.knownKeys == nil {
		f.knownKeys = f.known.ListKeys()
	}
	for _, key := range f.knownKeys {
		if f.pending(key) {
			continue
		}
		if obj, ok := f.known.GetByKey(key); ok {
			visit(key, obj)
		}
	}
}
