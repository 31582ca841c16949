//go:build ignore

// Mistake: An object that has a name needs no generateName, so Create clears it.
// Killed by: generated-names
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) insert(created T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if created.GetName() == "" {
		created.SetName(s.freeName(created))
	} else {
		created.SetGenerateName("")
	}
	k := keyOf(created)
	if _, taken := s.objects[k]; taken {
		return kit.NewAlreadyExists(s.typ.Resource, k.String())
	}
	s.commit(kit.Added, k, created)
	return nil
}
