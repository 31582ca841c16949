//go:build ignore

// Mistake: ListKeys cuts its results out of one large slice, one behind the other, and an append to one writes into
//   the next.
// Killed by: slices-and-maps-are-the-callers
// Verdict: wrong-answer

package indexer

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]

	cutting sync.Mutex // guards arena
	arena   []string
}

func (x *Indexer[T]) ListKeys() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	x.cutting.Lock()
	defer x.cutting.Unlock()
	if cap(x.arena)-len(x.arena) < len(x.items) {
		x.arena = make([]string, 0, 8*len(x.items))
	}
	start := len(x.arena)
	for key := range x.items {
		x.arena = append(x.arena, key)
	}
	return x.arena[start:]
}
