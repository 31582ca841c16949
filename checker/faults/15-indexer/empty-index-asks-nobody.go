//go:build ignore

// Mistake: In an index without entries there is nothing to find, so Index does not ask its IndexFunc, which may
//   fail.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import (
	"maps"
)

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	if len(in.sets) == 0 {
		return nil, nil
	}
	values, err := in.of(obj)
	if err != nil {
		return nil, err
	}
	union := make(set[T])
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
