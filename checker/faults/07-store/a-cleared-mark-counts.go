//go:build ignore

// Mistake: An update whose object is not marked brings a marked one back, to its author, and counts as one more generation.
// Killed by: generation-follows-the-spec
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	clears := !s.deleting(next) && s.deleting(old)
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	generation := old.GetGeneration()
	if clears || !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
