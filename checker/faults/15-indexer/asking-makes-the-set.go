//go:build ignore

// Mistake: Index makes the set of a value that no object has, and leaves it there, where ListIndexFuncValues skips
//   it.
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

import "maps"

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
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
		if in.sets[value] == nil {
			in.sets[value] = make(set[T])
		}
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}

func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil
	}
	var values []string
	for value, s := range in.sets {
		if len(s) > 0 {
			values = append(values, value)
		}
	}
	return values
}
