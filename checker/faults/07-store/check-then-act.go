//go:build ignore

// Mistake: Update compares under a read lock and writes under a second one; between the two another writer
//   does the same.
// Killed by: no-lost-updates
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) replace(next T) (T, error) {
	k := keyOf(next)
	s.mu.RLock()
	old, ok := s.objects[k]
	s.mu.RUnlock()
	if !ok {
		return next, s.notFound(k)
	}
	if err := s.checkUpdate(k, old, next); err != nil {
		return next, err
	}
	s.keepSystemFields(old, next)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
