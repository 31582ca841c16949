//go:build ignore

// Mistake: Each index is changed as soon as its IndexFunc has spoken; the next one may fail.
// Killed by: failing-index-func-changes-nothing
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
		if !slices.Equal(from, to) {
			m := move[T]{in, from, to}
			room = append(room, m)
			if e != nil {
				m.carryOut(e)
			}
		}
	}
	return room, nil
}
