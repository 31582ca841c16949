//go:build ignore

// Mistake: Index looks up the values of what is stored under the key, not those of the object it is given.
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
	if e, ok := x.items[kit.Key(obj)]; ok {
		obj = e.obj
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
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
