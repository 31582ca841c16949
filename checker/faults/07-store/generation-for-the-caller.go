//go:build ignore

// Mistake: Update writes the new generation into its argument, too, so that the caller need not read again.
// Killed by: generation-follows-the-spec
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
	obj.SetGeneration(stored.GetGeneration())
	return s.typ.DeepCopy(stored), nil
}
