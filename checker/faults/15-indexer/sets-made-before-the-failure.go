//go:build ignore

// Mistake: An update makes the sets of the new values as it computes them. If the next IndexFunc fails, they stay,
//   empty.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	for _, in := range x.indices {
		to, err := in.of(obj)
		if err != nil {
			return nil, err
		}
		var from []string
		if e != nil {
			if from, err = in.of(e.obj); err != nil {
				return nil, err
			}
		}
		for _, value := range to {
			if in.sets[value] == nil {
				in.sets[value] = make(set[T])
			}
		}
		room = append(room, move[T]{in, from, to})
	}
	return room, nil
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
