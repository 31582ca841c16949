//go:build ignore

// Mistake: The short cut joins the values with commas and compares the strings: the values x and y look like the one value "x,y".
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import "strings"

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
		if len(from) == 0 || strings.Join(from, ",") != strings.Join(to, ",") {
			room = append(room, move[T]{in, from, to})
		}
	}
	return room, nil
}
