//go:build ignore

// Mistake: Replace sorts a copy of the list by key, with a sort that is not stable, and has the last of each key
//   count.
// Killed by: replace-rebuilds
// Verdict: wrong-answer

package indexer

import (
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) Replace(list []T, _ string) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(kit.Key(a), kit.Key(b)) })
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		items[key] = &entry[T]{key, obj}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
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
