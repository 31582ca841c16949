//go:build ignore

// Mistake: Replace remembers the resource version of its list, and does nothing with a list that is older.
// Killed by: replace-rebuilds
// Verdict: wrong-answer

package indexer

import (
	"strconv"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]
	version int
}

func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		items[key] = &entry[T]{key, obj}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if version, err := strconv.Atoi(resourceVersion); err == nil {
		if version < x.version {
			return nil
		}
		x.version = version
	}
	indices := make(map[string]*index[T], len(x.indices))
	for name, old := range x.indices {
		in, err := build(name, old.values, items)
		if err != nil {
			return err
		}
		indices[name] = in
	}
	x.items, x.indices = items, indices
	return nil
}
