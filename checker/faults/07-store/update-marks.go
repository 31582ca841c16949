//go:build ignore

// Mistake: The stored deletionTimestamp is put in only if there is one: an update with one of its own marks
//   the object.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	if at := s.typ.Deleting(old); at != nil {
		s.typ.SetDeleting(next, at)
	}
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
