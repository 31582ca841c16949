//go:build ignore

// Mistake: An update without labels keeps those that are stored, as a patch would.
// Killed by: behaves-like-the-model
// Verdict: wrong-answer

package store

func (s *Store[T]) keepSystemFields(old, next T) {
	uid, at := s.typ.Created(old)
	s.typ.SetCreated(next, uid, at)
	s.typ.SetDeleting(next, s.typ.Deleting(old))
	if len(next.GetLabels()) == 0 {
		next.SetLabels(old.GetLabels())
	}
	generation := old.GetGeneration()
	if !s.typ.SameSpec(old, next) {
		generation++
	}
	next.SetGeneration(generation)
}
