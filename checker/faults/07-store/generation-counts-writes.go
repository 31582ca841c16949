//go:build ignore

// Mistake: The generation rises with every update, status included, and observedGeneration never catches up.
// Killed by: generation-follows-the-spec
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	generation := old.GetGeneration()
	if !s.typ.Equal(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
