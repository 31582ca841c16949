//go:build ignore

// Mistake: The object that loses its last finalizer is taken out of the map in Update, where nobody thought
//   of the journals: it never goes from any cache.
// Killed by: journals-are-told
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
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.version++
		next.SetResourceVersion(format(s.version))
		delete(s.objects, k)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
