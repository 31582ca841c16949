//go:build ignore

// Mistake: ByIndex goes through all objects, and asks of each whether it is in the set.
// Killed by: look-ups-do-not-search
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) ByIndex(indexName, indexedValue string) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	var found []T
	for _, e := range x.items {
		if _, ok := in.sets[indexedValue][e]; ok {
			found = append(found, e.obj)
		}
	}
	return found, nil
}
