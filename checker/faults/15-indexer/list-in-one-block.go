//go:build ignore

// Mistake: Replace makes the entries of a list in one block of memory: as long as one of its objects is stored,
//   all stay.
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Replace(list []T, _ string) error {
	items := make(map[string]*entry[T], len(list))
	block := make([]entry[T], len(list))
	for i, obj := range list {
		key := kit.Key(obj)
		block[i] = entry[T]{key, obj}
		items[key] = &block[i]
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
