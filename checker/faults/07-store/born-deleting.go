//go:build ignore

// Mistake: The deletionTimestamp of a new object is taken over from the client: a copied YAML makes an object
//   that is dying from birth.
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
	s.typ.SetCreated(created, newUID(), time.Now())
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}
