//go:build ignore

// Mistake: Index goes by values in their order and skips an object only if it was under the one before, too.
// Killed by: each-object-once
// Verdict: wrong-answer

package indexer

import "slices"

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	values, err := in.of(obj)
	if err != nil {
		return nil, err
	}
	var list []T
	var before set[T]
	for _, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
		for e := range in.sets[value] {
			if _, there := before[e]; !there {
				list = append(list, e.obj)
			}
		}
		before = in.sets[value]
	}
	return list, nil
}
