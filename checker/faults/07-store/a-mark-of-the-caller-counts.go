//go:build ignore

// Mistake: Being marked counts as one more generation, and whether an update marks the object is asked of its own object.
// Killed by: generation-follows-the-spec
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	marks := s.deleting(next) && !s.deleting(old)
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	generation := old.GetGeneration()
	if marks || !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
