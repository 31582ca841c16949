//go:build ignore

// Mistake: Index goes through all objects where the given one has several values, because each is found once then.
// Killed by: look-ups-do-not-search
// Verdict: wrong-answer

package indexer

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
	if len(values) == 1 {
		return in.sets[values[0]].objects(), nil
	}
	var found []T
	for _, e := range x.items {
		for _, value := range values {
			if _, ok := in.sets[value][e]; ok {
				found = append(found, e.obj)
				break
			}
		}
	}
	return found, nil
}
