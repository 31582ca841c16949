//go:build ignore

// Mistake: Update returns the object that it was given beside the error: a caller that forgets the error goes
//   on with what was never written.
// Killed by: errors-change-nothing
// Verdict: wrong-answer

package store

import "context"

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	stored, err := s.replace(s.typ.DeepCopy(obj))
	if err != nil {
		return stored, err
	}
	return s.typ.DeepCopy(stored), nil
}
