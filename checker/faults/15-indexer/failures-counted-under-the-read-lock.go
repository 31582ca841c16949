//go:build ignore

// Mistake: Index counts its failures. It holds the read lock only, and so may many others that fail.
// Killed by: everybody-at-once
// Verdict: data-race

package indexer

import (
	"maps"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu       sync.RWMutex
	items    map[string]*entry[T]
	indices  map[string]*index[T]
	failures int
}

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	values, err := in.of(obj)
	if err != nil {
		x.failures++
		return nil, err
	}
	union := make(set[T])
	for _, value := range values {
		maps.Copy(union, in.sets[value])
	}
	return union.objects(), nil
}
