//go:build ignore

// Mistake: An update stores the deletionTimestamp without its monotonic reading, which Type.Equal takes for a change.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, nil)
	if marked := s.typ.Deleting(old); marked != nil {
		at := marked.Round(0)
		s.typ.SetDeleting(next, &at)
	}
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
