//go:build ignore

// Mistake: Whether an object is marked already is read before the lock is taken: two deletes both find that it is not.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package store

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) remove(k key, p kit.Preconditions) (T, error) {
	s.mu.RLock()
	old, ok := s.objects[k]
	s.mu.RUnlock()
	marked := ok && s.deleting(old)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok = s.objects[k]
	if !ok {
		return old, s.notFound(k)
	}
	if err := s.checkPreconditions(k, old, p); err != nil {
		return old, err
	}
	if len(old.GetFinalizers()) == 0 {
		last := s.typ.DeepCopy(old)
		s.commit(kit.Deleted, k, last)
		return last, nil
	}
	if marked {
		return old, nil
	}
	now := time.Now()
	next := s.typ.DeepCopy(old)
	s.typ.SetDeleting(next, &now)
	next.SetGeneration(old.GetGeneration() + 1)
	s.commit(kit.Modified, k, next)
	return next, nil
}
