//go:build ignore

// Mistake: Whether an object has finalizers is asked of its slice, and one that is there and empty holds the object for ever.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) remove(k key, p kit.Preconditions) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.objects[k]
	if !ok {
		return old, s.notFound(k)
	}
	if err := s.checkPreconditions(k, old, p); err != nil {
		return old, err
	}
	if old.GetFinalizers() == nil {
		last := s.typ.DeepCopy(old)
		s.commit(kit.Deleted, k, last)
		return last, nil
	}
	if s.deleting(old) {
		return old, nil
	}
	now := time.Now()
	marked := s.typ.DeepCopy(old)
	s.typ.SetDeleting(marked, &now)
	marked.SetGeneration(old.GetGeneration() + 1)
	s.commit(kit.Modified, k, marked)
	return marked, nil
}
