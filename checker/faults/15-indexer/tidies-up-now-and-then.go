//go:build ignore

// Mistake: Empty sets are taken out together when there are many values; a few do not matter.
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

import "maps"

func (in *index[T]) remove(value string, e *entry[T]) {
	delete(in.sets[value], e)
	if len(in.sets) > 64 {
		maps.DeleteFunc(in.sets, func(_ string, s set[T]) bool { return len(s) == 0 })
	}
}

func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, exists := x.indices[indexName]
	if !exists {
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
