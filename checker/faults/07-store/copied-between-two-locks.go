//go:build ignore

// Mistake: Delete lets go of the lock while it copies the object, which may be large: what is written meanwhile is
//   lost.
// Killed by: one-after-the-other
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
	s.mu.Unlock()
	last := s.typ.DeepCopy(old)
	s.mu.Lock()
	now, ok := s.objects[k]
	switch {
	case !ok:
		return old, s.notFound(k)
	case p.ResourceVersion != "" && now.GetResourceVersion() != p.ResourceVersion:
		return old, kit.NewConflict(s.typ.Resource, k.String())
	case s.deleting(now):
		return now, nil
	case len(last.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, last)
		return last, nil
	}
	at := time.Now()
	s.typ.SetDeleting(last, &at)
	last.SetGeneration(last.GetGeneration() + 1)
	s.commit(kit.Modified, k, last)
	return last, nil
}
