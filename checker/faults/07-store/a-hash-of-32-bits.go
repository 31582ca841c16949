//go:build ignore

// Mistake: A name is taken if its hash of 32 bits is: two names may have the same one.
// Killed by: names-are-per-namespace
// Verdict: wrong-answer

package store

import (
	"hash/fnv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) insert(created T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if created.GetName() == "" {
		created.SetName(s.freeName(created))
	}
	k := keyOf(created)
	for other := range s.objects {
		if hash(other) == hash(k) {
			return kit.NewAlreadyExists(s.typ.Resource, k.String())
		}
	}
	s.commit(kit.Added, k, created)
	return nil
}

func hash(k key) uint32 {
	h := fnv.New32a()
	h.Write([]byte(k.String()))
	return h.Sum32()
}
