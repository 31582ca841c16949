//go:build ignore

// Mistake: What IndexKeys returns where it finds nothing is always the same empty slice, which has room behind it.
// Killed by: slices-and-maps-are-the-callers
// Verdict: wrong-answer

package indexer

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]
	none    [4]string
}

func (x *Indexer[T]) IndexKeys(indexName, indexedValue string) ([]string, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	found := in.sets[indexedValue]
	if len(found) == 0 {
		return x.none[:0], nil
	}
	keys := make([]string, 0, len(found))
	for e := range found {
		keys = append(keys, e.key)
	}
	return keys, nil
}
