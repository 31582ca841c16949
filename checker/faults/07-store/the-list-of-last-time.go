//go:build ignore

// Mistake: The slice of a list is used again by the next one; until then it keeps objects that are gone.
// Killed by: keeps-no-history
// Verdict: wrong-answer

package store

import (
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]

	mu      sync.RWMutex
	version uint64
	objects map[key]T
	buffer  []T
}

func (s *Store[T]) snapshot(namespace string) (version uint64, items []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffer = s.buffer[:0]
	for k, obj := range s.objects {
		if namespace == "" || namespace == k.namespace {
			s.buffer = append(s.buffer, obj)
		}
	}
	return s.version, slices.Clone(s.buffer)
}
