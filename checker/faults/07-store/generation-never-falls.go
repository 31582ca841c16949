//go:build ignore

// Mistake: The generation goes on from the caller's if that is higher, so that it never falls.
// Killed by: generation-follows-the-spec
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation = max(generation, next.GetGeneration()) + 1
	}
	next.SetGeneration(generation)
}
