//go:build ignore

// Mistake: An indexer without indices keeps the first map that AddIndexers is given, and later calls add to that.
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
	if x.funcs == nil {
		x.funcs = newIndexers
		return nil
	}
	maps.Copy(x.funcs, newIndexers)
	return nil
}
