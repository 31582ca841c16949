//go:build ignore

// Mistake: Update tidies up: an empty slice of finalizers becomes none, so that it is no change where there was none.
// Killed by: nothing-changed-nothing-written
// Verdict: wrong-answer

package store

import "context"

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if len(obj.GetFinalizers()) == 0 {
		obj = s.typ.DeepCopy(obj)
		obj.SetFinalizers(nil)
	}
	stored, err := s.replace(s.typ.DeepCopy(obj))
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
