//go:build ignore

// Mistake: A name whose object is being deleted counts as free: the finalizers of the old object are never
//   run.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) insert(created T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if created.GetName() == "" {
		created.SetName(s.freeName(created))
	}
	k := keyOf(created)
	if old, taken := s.objects[k]; taken && !s.deleting(old) {
		return kit.NewAlreadyExists(s.typ.Resource, k.String())
	}
	s.commit(kit.Added, k, created)
	return nil
}
