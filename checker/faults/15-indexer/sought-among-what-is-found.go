//go:build ignore

// Mistake: Index seeks each object among those that it has found already: what it costs grows with the square of
//   what it finds.
// Killed by: look-ups-do-not-search
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
	var found []*entry[T]
	var list []T
	for _, value := range values {
		for e := range in.sets[value] {
			if !slices.Contains(found, e) {
				found, list = append(found, e), append(list, e.obj)
			}
		}
	}
	return list, nil
}
