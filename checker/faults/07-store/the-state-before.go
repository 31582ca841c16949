//go:build ignore

// Mistake: Of the object that was updated last the store keeps the state before, to show the difference.
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
	before  T
}

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	s.before = s.objects[k]
	if what == kit.Deleted {
		delete(s.objects, k)
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
