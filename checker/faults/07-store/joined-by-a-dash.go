//go:build ignore

// Mistake: Namespace and name are compared as one text, with a dash between them: the object c of a-b stands in the way
//   of the object b-c of a.
// Killed by: names-are-per-namespace
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
	for other := range s.objects {
		if other.namespace+"-"+other.name == k.namespace+"-"+k.name {
			return kit.NewAlreadyExists(s.typ.Resource, k.String())
		}
	}
	s.commit(kit.Added, k, created)
	return nil
}
