//go:build ignore

// Mistake: ByIndex goes through all objects and asks the IndexFunc about each.
// Killed by: look-ups-do-not-search
// Verdict: wrong-answer

package indexer

import "slices"

func (x *Indexer[T]) ByIndex(indexName, indexedValue string) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	found := make(set[T])
	for _, e := range x.items {
		if values, err := in.of(e.obj); err == nil && slices.Contains(values, indexedValue) {
			found[e] = struct{}{}
		}
	}
	return found.objects(), nil
}
