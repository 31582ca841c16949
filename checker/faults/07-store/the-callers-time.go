//go:build ignore

// Mistake: Where the deletionTimestamp of the argument is the stored one, the argument's pointer is as good as a copy.
// Killed by: shares-no-memory
// Verdict: wrong-answer

package store

import "context"

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	next := s.typ.DeepCopy(obj)
	s.typ.SetDeleting(next, s.typ.Deleting(obj))
	stored, err := s.replace(next)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	kept, given := s.typ.Deleting(old), s.typ.Deleting(next)
	if kept == nil || given == nil || !kept.Equal(*given) {
		s.typ.SetDeleting(next, kept)
	}
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
