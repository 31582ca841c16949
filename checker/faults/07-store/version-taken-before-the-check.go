//go:build ignore

// Mistake: The version is counted up before it is known whether the name is free: refused creates leave gaps
//   in the versions.
// Killed by: errors-change-nothing
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) insert(created T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	if created.GetName() == "" {
		created.SetName(s.freeName(created))
	}
	k := keyOf(created)
	if _, taken := s.objects[k]; taken {
		return kit.NewAlreadyExists(s.typ.Resource, k.String())
	}
	s.commit(kit.Added, k, created)
	return nil
}
