//go:build ignore

// Mistake: Index asks its IndexFunc without the lock and goes on with the index that it had found: a Replace has
//   put another in its place.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) Index(indexName string, obj T) ([]T, error) {
	x.mu.RLock()
	in, err := x.index(indexName)
	x.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	values, err := in.of(obj)
	if err != nil {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	found := make(set[T])
	for _, value := range values {
		for e := range in.sets[value] {
			if now := x.items[e.key]; now != nil {
				found[now] = struct{}{}
			}
		}
	}
	return found.objects(), nil
}
