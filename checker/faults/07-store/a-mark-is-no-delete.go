//go:build ignore

// Mistake: A delete that only marks checks its preconditions before it takes the lock: several from one version succeed.
// Killed by: one-winner-per-version
// Verdict: wrong-answer

package store

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) remove(k key, p kit.Preconditions) (T, error) {
	s.mu.RLock()
	seen, ok := s.objects[k]
	s.mu.RUnlock()
	if !ok {
		return seen, s.notFound(k)
	}
	err := s.checkPreconditions(k, seen, p)
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.objects[k]
	if !ok {
		return old, s.notFound(k)
	}
	if len(old.GetFinalizers()) == 0 {
		err = s.checkPreconditions(k, old, p)
	}
	if err != nil {
		return old, err
	}
	if len(old.GetFinalizers()) == 0 {
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
