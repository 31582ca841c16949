//go:build ignore

// Mistake: Replace takes a list without a resource version, or one at "0", for a list that has failed, and keeps what it has.
// Killed by: replace-rebuilds
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	if resourceVersion == "" || resourceVersion == "0" {
		return nil
	}
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
