//go:build ignore

// Mistake: AddIndexers builds the new indices in a field before it looks for names that exist. After a conflict
//   they stay there, with objects that are deleted later.
// Killed by: name-conflicts-add-nothing
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
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
	}
	x.added = added
	for name := range newIndexers {
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
	}
	maps.Copy(x.indices, added)
	x.added = nil
	return nil
}
