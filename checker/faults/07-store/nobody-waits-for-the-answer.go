//go:build ignore

// Mistake: A context that ended while the update was written makes it an error: the caller believes that nothing has changed.
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
		return none, err
	}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
