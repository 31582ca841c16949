//go:build ignore

// Mistake: An index that would be empty keeps its last set, with the value, for the next object. Reads do not list
//   it.
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

func (in *index[T]) remove(value string, e *entry[T]) {
	s := in.sets[value]
	delete(s, e)
	if len(s) == 0 && len(in.sets) > 1 {
		delete(in.sets, value)
	}
}

func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil
	}
	var values []string
	for value, s := range in.sets {
		if len(s) > 0 {
			values = append(values, value)
		}
	}
	return values
}
