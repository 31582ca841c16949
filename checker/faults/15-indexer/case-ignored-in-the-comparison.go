//go:build ignore

// Mistake: Values that differ in upper and lower case are taken for equal when an update looks for what has changed.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import (
	"slices"
	"strings"
)

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
		if !slices.EqualFunc(from, to, strings.EqualFold) {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
