//go:build ignore

// Mistake: Replace builds under RLock and takes Lock only to put everything in place: an index that is
//   added in between is gone.
// Killed by: new-indices-know-the-old-objects
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Replace(list []T, _ string) error {
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		items[key] = &entry[T]{key, obj}
	}
	x.mu.RLock()
	indices := make(map[string]*index[T], len(x.indices))
	for name, old := range x.indices {
		in, err := build(name, old.values, items)
		if err != nil {
			x.mu.RUnlock()
			return err
		}
		indices[name] = in
	}
	x.mu.RUnlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.items, x.indices = items, indices
	return nil
}
