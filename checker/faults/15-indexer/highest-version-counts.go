//go:build ignore

// Mistake: Of several objects with one key, Replace keeps the one with the highest resource version, and not the last.
// Killed by: replace-rebuilds
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Replace(list []T, _ string) error {
	items := make(map[string]*entry[T], len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		if e := items[key]; e != nil && e.obj.GetResourceVersion() > obj.GetResourceVersion() {
			continue
		}
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
