//go:build ignore

// Mistake: Whether an update deletes is decided by the deletionTimestamp that its caller wrote.
// Killed by: behaves-like-the-model
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) replace(next T) (T, error) {
	k := keyOf(next)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.objects[k]
	if !ok {
		return next, s.notFound(k)
	}
	if err := s.checkUpdate(k, old, next); err != nil {
		return next, err
	}
	leaving := s.deleting(next) && len(next.GetFinalizers()) == 0
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case leaving:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
