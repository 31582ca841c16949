//go:build ignore

// Mistake: Replace notes the new objects in the indexer while it builds the indices, and forgets them only when it
//   has been a success.
// Killed by: failing-index-func-changes-nothing
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
	next    map[string]*entry[T]
}

func (x *Indexer[T]) Replace(list []T, _ string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.next = make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		x.next[key] = &entry[T]{key, obj}
	}
	indices := make(map[string]*index[T], len(x.indices))
	for name, old := range x.indices {
		in, err := build(name, old.values, x.next)
		if err != nil {
			return err
		}
		indices[name] = in
	}
	x.items, x.indices, x.next = x.next, indices, nil
	return nil
}
