//go:build ignore

// Mistake: An update that changes nothing gets a version and wakes every watcher: two controllers can keep
//   each other busy for ever.
// Killed by: nothing-changed-nothing-written
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
	case s.version == 0:
		return old, nil
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
