//go:build ignore

// Mistake: In an index with a single value no object can be found under two.
// Killed by: each-object-once
// Verdict: wrong-answer

package indexer

import "maps"

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
	if len(in.sets) == 1 {
		var found []T
		for _, value := range values {
			found = append(found, in.sets[value].objects()...)
		}
		return found, nil
	}
	union := make(set[T])
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
