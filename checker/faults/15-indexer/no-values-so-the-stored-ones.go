//go:build ignore

// Mistake: An object without values and without a resource version is taken for no more than a key, so Index uses
//   the values of what is stored under it.
// Killed by: each-object-once
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
	if err != nil {
		return nil, err
	}
	if e, ok := x.items[kit.Key(obj)]; ok && len(values) == 0 && obj.GetResourceVersion() == "" {
		if values, err = in.of(e.obj); err != nil {
			return nil, err
		}
	}
	union := make(set[T])
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
