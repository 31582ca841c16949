//go:build ignore

// Mistake: Create tidies up: an empty map of labels becomes none, which Type.Equal tells apart.
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
	created := s.typ.DeepCopy(obj)
	if len(created.GetLabels()) == 0 {
		created.SetLabels(nil)
	}
	s.typ.SetCreated(created, newUID(), time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}
