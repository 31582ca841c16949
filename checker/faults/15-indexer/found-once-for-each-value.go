//go:build ignore

// Mistake: Index appends what it finds under each value, and an object that shares two is there twice.
// Killed by: each-object-once
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
	var all []T
	for _, value := range values {
		all = append(all, in.sets[value].objects()...)
	}
	return all, nil
}
