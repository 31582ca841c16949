//go:build ignore

// Mistake: AddIndexers builds the new indices in a field, and forgets them only where all of them could be built.
//   Objects that are deleted later stay in those of a call that failed.
// Killed by: failing-index-func-changes-nothing
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
	added   map[string]*index[T]
}

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range newIndexers {
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
	}
	x.added = make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		x.added[name] = in
	}
	maps.Copy(x.indices, x.added)
	x.added = nil
	return nil
}
