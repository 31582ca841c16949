//go:build ignore

// Mistake: Of an object that is being deleted the status is no longer of interest: an update that changes nothing else
//   is taken for one that changes nothing.
// Killed by: nothing-changed-nothing-written
// Verdict: wrong-answer

package store

import (
	"maps"
	"slices"

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
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next), s.deleting(old) && s.sameButStatus(old, next):
		return old, nil
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}

func (s *Store[T]) sameButStatus(a, b T) bool {
	return s.typ.SameSpec(a, b) && maps.Equal(a.GetLabels(), b.GetLabels()) && maps.Equal(a.GetAnnotations(), b.GetAnnotations()) &&
		slices.Equal(a.GetFinalizers(), b.GetFinalizers())
}
