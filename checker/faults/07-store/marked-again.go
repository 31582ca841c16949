//go:build ignore

// Mistake: Every delete of a marked object moves its deletionTimestamp to now: grace periods never end.
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
	if len(old.GetFinalizers()) == 0 {
		last := s.typ.DeepCopy(old)
		s.commit(kit.Deleted, k, last)
		return last, nil
	}
	now := time.Now()
	marked := s.typ.DeepCopy(old)
	s.typ.SetDeleting(marked, &now)
	marked.SetGeneration(old.GetGeneration() + 1)
	s.commit(kit.Modified, k, marked)
	return marked, nil
}
