//go:build ignore

// Mistake: The slice of journals is kept as it comes: it is the caller's, who may write to it.
// Killed by: shares-no-memory
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	return &Store[T]{
		typ:      typ,
		journals: journals,
		version:  firstVersion,
		objects:  map[key]T{},
	}
}
