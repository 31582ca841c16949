//go:build ignore

// Mistake: Update takes the deletionTimestamp from the caller, so an old copy brings a deleting object back
//   to life.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
