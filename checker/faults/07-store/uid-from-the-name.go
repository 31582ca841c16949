//go:build ignore

// Mistake: The UID is made from namespace and name, so the object that takes the name again takes over the
//   identity too (kubernetes#69376).
// Killed by: recreated-is-another-object
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
	_ = newUID
	s.typ.SetCreated(created, keyOf(obj).String(), time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}
