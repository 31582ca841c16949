//go:build ignore

// Mistake: Whether an object has finalizers is asked of their names, joined: one with an empty name is none.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	last := strings.Join(next.GetFinalizers(), "") == ""
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case s.deleting(next) && last:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
