//go:build ignore

// Mistake: If the IndexFunc fails for the given object, Index makes do with the values of the stored one.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	values, err := in.of(obj)
	if e, ok := x.items[kit.Key(obj)]; ok && err != nil {
		values, err = in.of(e.obj)
	}
	if err != nil {
		return nil, err
	}
	union := make(set[T])
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
