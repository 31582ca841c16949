//go:build ignore

// Mistake: ByIndex remembers its last result and returns it again while nothing was written, to spare the
//   copy.
// Killed by: slices-and-maps-are-the-callers
// Verdict: wrong-answer

package indexer

import "sync"

func (x *Indexer[T]) ByIndex(indexName, indexedValue string) ([]T, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, err := x.index(indexName)
	if err != nil {
		return nil, err
	}
	type question struct {
		in    *index[T]
		value string
	}
	fresh := in.sets[indexedValue].objects()
	given, ok := answers.Load(question{in, indexedValue})
	if ok && len(given.([]T)) == len(fresh) {
		return given.([]T), nil
	}
	answers.Store(question{in, indexedValue}, fresh)
	return fresh, nil
}

var answers sync.Map
