//go:build ignore

// Mistake: New keeps the map of index functions that it was given, and AddIndexers writes into it.
// Killed by: slices-and-maps-are-the-callers
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"maps"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]
	funcs   map[string]kit.IndexFunc[T]
}

func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	x := &Indexer[T]{
		items:   make(map[string]*entry[T]),
		indices: make(map[string]*index[T], len(indexers)),
		funcs:   indexers,
	}
	for name, values := range indexers {
		x.indices[name] = newIndex(name, values)
	}
	return x
}

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
	}
	maps.Copy(x.indices, added)
	if x.funcs != nil {
		maps.Copy(x.funcs, newIndexers)
	}
	return nil
}
