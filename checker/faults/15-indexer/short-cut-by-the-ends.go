//go:build ignore

// Mistake: A short cut takes the values for the same where their number, the first and the last are.
// Killed by: updates-look-at-all-values
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
		n := len(to)
		if n != len(from) || n > 0 && (from[0] != to[0] || from[n-1] != to[n-1]) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
