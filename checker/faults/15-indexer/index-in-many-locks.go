//go:build ignore

// Mistake: Index takes the lock anew for each value: an object that moves from one to another in between is
//   not found.
// Killed by: writes-are-one-step
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
	if len(values) == 1 {
		return in.sets[values[0]].objects(), nil
	}
	union := make(set[T])
	for _, value := range values {
		x.mu.RUnlock()
		x.mu.RLock()
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
