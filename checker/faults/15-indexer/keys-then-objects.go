//go:build ignore

// Mistake: ByIndex finds the entries under one read lock and fetches the objects under another; in between
//   they change.
// Killed by: writes-are-one-step
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) ByIndex(indexName, indexedValue string) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(in.sets[indexedValue]))
	for e := range in.sets[indexedValue] {
		keys = append(keys, e.key)
	}
	x.mu.RUnlock()
	x.mu.RLock()
	list := make([]T, 0, len(keys))
	for _, key := range keys {
		if e, ok := x.items[key]; ok {
			list = append(list, e.obj)
		}
	}
	return list, nil
}
