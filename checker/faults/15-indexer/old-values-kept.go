//go:build ignore

// Mistake: An update puts the object under its new values and leaves it under the old ones.
// Killed by: update-moves-the-object
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
		if from = nil; !slices.Equal(from, to) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
