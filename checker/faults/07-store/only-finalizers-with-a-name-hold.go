//go:build ignore

// Mistake: Whether finalizers hold an object is asked of their names, joined: one with an empty name holds nothing.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import (
	"strings"
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
	if strings.Join(old.GetFinalizers(), "") == "" {
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
