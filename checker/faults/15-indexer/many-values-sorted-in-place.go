//go:build ignore

// Mistake: An update that has many values sorts them in order to compare them, in the slice that the IndexFunc
//   returned.
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
		if len(to) > 8 {
			slices.Sort(to)
			slices.Sort(from)
		}
		if !slices.Equal(from, to) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
