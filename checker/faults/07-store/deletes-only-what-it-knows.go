//go:build ignore

// Mistake: The last finalizer goes with a delete only if the update names the UID: without one it might be another object.
// Killed by: deleting-is-for-good
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
	sure := s.uid(next) != ""
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case sure && s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
