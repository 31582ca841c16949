//go:build ignore

// Mistake: An object that is younger than a second is marked with its creation time: Kubernetes writes times in seconds.
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
	if len(old.GetFinalizers()) == 0 {
		last := s.typ.DeepCopy(old)
		s.commit(kit.Deleted, k, last)
		return last, nil
	}
	if s.deleting(old) {
		return old, nil
	}
	now := time.Now()
	if _, made := s.typ.Created(old); now.Sub(made) < time.Second {
		now = made
	}
	marked := s.typ.DeepCopy(old)
	s.typ.SetDeleting(marked, &now)
	marked.SetGeneration(old.GetGeneration() + 1)
	s.commit(kit.Modified, k, marked)
	return marked, nil
}
