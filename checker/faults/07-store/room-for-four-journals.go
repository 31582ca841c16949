//go:build ignore

// Mistake: The store has room for four journals, and those beyond get nothing.
// Killed by: journals-are-told
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	kept := make([]kit.Journal[T], 4)
	return &Store[T]{
		typ:      typ,
		journals: kept[:copy(kept, journals)],
		version:  firstVersion,
		objects:  map[key]T{},
	}
}
