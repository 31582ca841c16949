//go:build ignore

// Mistake: Index collects in a map with room for all stored objects.
// Killed by: look-ups-do-not-search
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
	union := make(set[T], len(x.items))
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
