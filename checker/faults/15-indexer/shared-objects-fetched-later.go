//go:build ignore

// Mistake: Index finds the keys under the lock, and fetches each object with GetByKey afterwards: one that has moved away
//   in between is returned.
// Killed by: writes-are-one-step
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	in, err := x.index(indexName)
	if err != nil {
		x.mu.RUnlock()
		return nil, err
	}
	values, err := in.of(obj)
	if err != nil {
		x.mu.RUnlock()
		return nil, err
	}
	keys := make(map[string]bool)
	for _, value := range values {
		for e := range in.sets[value] {
			keys[e.key] = true
		}
	}
	x.mu.RUnlock()
	var list []T
	for key := range keys {
		if found, ok := x.GetByKey(key); ok {
			list = append(list, found)
		}
	}
	return list, nil
}
