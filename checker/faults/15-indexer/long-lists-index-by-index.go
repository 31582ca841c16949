//go:build ignore

// Mistake: Replace lets readers in after each index that it has put in place, if the list is long.
// Killed by: replace-is-one-step
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Replace(list []T, _ string) error {
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
	if len(items) > 500 {
		for name, in := range indices {
			x.indices[name] = in
			x.mu.Unlock() // readers come first
			x.mu.Lock()
		}
	}
	x.items, x.indices = items, indices
	return nil
}
