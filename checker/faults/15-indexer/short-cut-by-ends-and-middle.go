//go:build ignore

// Mistake: The short cut compares how many values there are, and the first, the last and the one in the middle.
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
		n := len(from)
		if n != len(to) || n > 0 && (from[0] != to[0] || from[n/2] != to[n/2] || from[n-1] != to[n-1]) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
