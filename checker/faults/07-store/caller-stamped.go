//go:build ignore

// Mistake: Create stamps the caller's object and stores a copy of that: the argument comes back changed.
// Killed by: create-stamps-the-object
// Verdict: wrong-answer

package store

import (
	"context"
	"time"
)

func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := s.checkNew(obj); err != nil {
		return none, err
	}
	created := obj
	s.typ.SetCreated(created, newUID(), time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}
