//go:build ignore

// Mistake: Every object that was ever stored is kept in a slice, to look at when something goes wrong.
// Killed by: keeps-no-history
// Verdict: wrong-answer

package store

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]

	mu      sync.RWMutex
	version uint64
	objects map[key]T
	history []T
}

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	s.history = append(s.history, obj)
	if what == kit.Deleted {
		delete(s.objects, k)
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
