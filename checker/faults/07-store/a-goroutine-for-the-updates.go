//go:build ignore

// Mistake: Updates take turns on a goroutine that New starts, and which nothing ever ends: a store has no Close.
// Killed by: create-stamps-the-object
// Verdict: goroutine-leak

package store

import (
	"context"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]
	turns    chan func()

	mu      sync.RWMutex
	version uint64
	objects map[key]T
}

func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	s := &Store[T]{
		typ:      typ,
		journals: slices.Clone(journals),
		turns:    make(chan func()),
		version:  firstVersion,
		objects:  map[key]T{},
	}
	go func() {
		for turn := range s.turns {
			turn()
		}
	}()
	return s
}

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none, stored T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	done := make(chan error)
	next := s.typ.DeepCopy(obj)
	s.turns <- func() {
		var err error
		stored, err = s.replace(next)
		done <- err
	}
	if err := <-done; err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
