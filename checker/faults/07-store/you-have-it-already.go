//go:build ignore

// Mistake: An update that has nothing to write returns its argument, which says the same as a copy of the stored object.
// Killed by: shares-no-memory
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
	if s.typ.Equal(stored, obj) {
		return obj, nil
	}
	return s.typ.DeepCopy(stored), nil
}
