//go:build ignore

// Mistake: An update without a UID is taken for another object, which counts as a change of the spec.
// Killed by: generation-follows-the-spec
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	other := s.uid(next) == ""
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	generation := old.GetGeneration()
	if other || !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
