//go:build ignore

// Mistake: Every delete marks the object first: what goes at once is returned, and given to the journals, as if it waited for its finalizers.
// Killed by: finalizers-hold-the-object
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
	if s.deleting(old) {
		return old, nil
	}
	now := time.Now()
	marked := s.typ.DeepCopy(old)
	s.typ.SetDeleting(marked, &now)
	if len(old.GetFinalizers()) == 0 {
		s.commit(kit.Deleted, k, marked)
		return marked, nil
	}
	marked.SetGeneration(old.GetGeneration() + 1)
	s.commit(kit.Modified, k, marked)
	return marked, nil
}
