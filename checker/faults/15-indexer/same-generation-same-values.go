//go:build ignore

// Mistake: The short cut compares the generations and the labels, and leaves the indices as they are if both are the same.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import (
	"maps"
	"slices"
)

func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	if e != nil {
		g := obj.GetGeneration()
		if g != 0 && g == e.obj.GetGeneration() && maps.Equal(obj.GetLabels(), e.obj.GetLabels()) {
			return room, nil
		}
	}
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
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
