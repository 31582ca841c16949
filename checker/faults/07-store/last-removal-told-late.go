//go:build ignore

// Mistake: The update that removes the last finalizer takes the object out of the map, releases the lock, and calls the
//   journals then: two changes can overtake each other on the way.
// Killed by: lists-and-journal-agree
// Verdict: data-race

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) replace(next T) (T, error) {
	k := keyOf(next)
	s.mu.Lock()
	old, ok := s.objects[k]
	if !ok {
		s.mu.Unlock()
		return next, s.notFound(k)
	}
	if err := s.checkUpdate(k, old, next); err != nil {
		s.mu.Unlock()
		return next, err
	}
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		next = old
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.version++
		next.SetResourceVersion(format(s.version))
		delete(s.objects, k)
		s.mu.Unlock()
		for _, j := range s.journals {
			j.Commit(kit.Event[T]{Type: kit.Deleted, Object: next})
		}
		return next, nil
	default:
		s.commit(kit.Modified, k, next)
	}
	s.mu.Unlock()
	return next, nil
}
