//go:build ignore

// Mistake: An object that has several values leaves its empty sets behind, and nobody lists them (kubernetes#84959).
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

func (m move[T]) carryOut(e *entry[T]) {
	for _, value := range m.from {
		if len(m.from) == 1 {
			m.in.remove(value, e)
		} else {
			delete(m.in.sets[value], e)
		}
	}
	for _, value := range m.to {
		m.in.insert(value, e)
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
