//go:build ignore

// Mistake: Update stores a finalizer that is named twice once: the list is a set.
// Killed by: nothing-changed-nothing-written
// Verdict: wrong-answer

package store

import (
	"context"
	"slices"
)

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	next := s.typ.DeepCopy(obj)
	next.SetFinalizers(slices.Compact(next.GetFinalizers()))
	stored, err := s.replace(next)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
