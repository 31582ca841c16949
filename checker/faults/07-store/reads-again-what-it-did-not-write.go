//go:build ignore

// Mistake: An update that has nothing to write reads the object again to return it, under a second lock: it returns another's write.
// Killed by: one-after-the-other
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
	if stored.GetResourceVersion() == obj.GetResourceVersion() {
		return s.Get(ctx, obj.GetNamespace(), obj.GetName())
	}
	return s.typ.DeepCopy(stored), nil
}
