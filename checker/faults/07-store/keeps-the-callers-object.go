//go:build ignore

// Mistake: Update stores the pointer that it was given: what the caller does to its object next is done to
//   the store.
// Killed by: shares-no-memory
// Verdict: wrong-answer

package store

import "context"

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	stored, err := s.replace(obj)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
