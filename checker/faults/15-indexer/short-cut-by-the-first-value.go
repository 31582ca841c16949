//go:build ignore

// Mistake: The short cut for updates that change nothing compares the first values only.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import "slices"

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
		if len(from) == 0 || len(to) == 0 || !slices.Equal(from[:1], to[:1]) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
