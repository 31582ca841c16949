//go:build ignore

// Mistake: Replace empties the indexer and then adds the objects of the list, each under its own lock.
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
	x.items = make(map[string]*entry[T], len(items))
	for name, in := range x.indices {
		x.indices[name] = newIndex(name, in.values)
	}
	for _, e := range items {
		x.mu.Unlock()
		_ = x.Update(e.obj)
		x.mu.Lock()
	}
	return nil
}
