//go:build ignore

// Mistake: An object with the resource version of the stored one is the stored one, so Index asks about that.
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
	if e, ok := x.items[kit.Key(obj)]; ok && e.obj.GetResourceVersion() == obj.GetResourceVersion() {
		obj = e.obj
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
