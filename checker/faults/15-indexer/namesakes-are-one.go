//go:build ignore

// Mistake: Index takes two objects of one name in two namespaces for the same.
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
	seen := map[string]bool{}
	list := []T{}
	for _, value := range values {
		for e := range in.sets[value] {
			if name := e.obj.GetName(); !seen[name] {
				seen[name] = true
				list = append(list, e.obj)
			}
		}
	}
	return list, nil
}
