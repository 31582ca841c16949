//go:build ignore

// Mistake: Empty sets are put by for when their value comes back; most never do (kubernetes#84959).
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

type index[T kit.Object] struct {
	name   string
	values kit.IndexFunc[T]
	sets   map[string]set[T]
	spare  map[string]set[T]
}

func newIndex[T kit.Object](name string, values kit.IndexFunc[T]) *index[T] {
	return &index[T]{name, values, make(map[string]set[T]), make(map[string]set[T])}
}

func (in *index[T]) insert(value string, e *entry[T]) {
	s := in.sets[value]
	if s == nil {
		if s = in.spare[value]; s == nil {
			s = make(set[T])
		}
		in.sets[value] = s
	}
	s[e] = struct{}{}
}

func (in *index[T]) remove(value string, e *entry[T]) {
	s := in.sets[value]
	delete(s, e)
	if len(s) == 0 {
		delete(in.sets, value)
		in.spare[value] = s
	}
}
