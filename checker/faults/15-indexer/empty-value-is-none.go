//go:build ignore

// Mistake: Index takes the empty string for "no value", and finds no object that shares it.
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
	union := make(set[T])
	for _, value := range values {
		if value != "" {
			maps.Copy(union, in.sets[value])
		}
	}
	return union.objects(), nil
}
