//go:build ignore

// Mistake: Replace asks about all objects of the list, and fails for one that a later object with the same key replaces.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Replace(list []T, _ string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		for _, in := range x.indices {
			if _, err := in.of(obj); err != nil {
				return err
			}
		}
		key := kit.Key(obj)
		items[key] = &entry[T]{key, obj}
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
