//go:build ignore

// Mistake: Replace asks about each object of its list, those for which a later one counts too, to have their
//   values at hand.
// Killed by: look-ups-do-not-search
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
		said := make(map[*entry[T]][]string, len(items))
		for _, obj := range list {
			to, err := old.of(obj)
			e := items[kit.Key(obj)]
			if err != nil && any(e.obj) == any(obj) {
				return err
			}
			said[e] = to // the last one of a key is the one that stays
		}
		in := newIndex(name, old.values)
		for e, to := range said {
			for _, value := range to {
				in.insert(value, e)
			}
		}
		indices[name] = in
	}
	x.items, x.indices = items, indices
	return nil
}
