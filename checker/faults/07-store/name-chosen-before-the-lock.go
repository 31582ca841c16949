//go:build ignore

// Mistake: A free name is looked for before the lock is taken, because that may take a while.
// Killed by: readers-and-writers-meet
// Verdict: data-race

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) insert(created T) error {
	if created.GetName() == "" {
		created.SetName(s.freeName(created))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := keyOf(created)
	if _, taken := s.objects[k]; taken {
		return kit.NewAlreadyExists(s.typ.Resource, k.String())
	}
	s.commit(kit.Added, k, created)
	return nil
}
