//go:build ignore

// Mistake: Writers of one object take turns at a lock of its own, and the locks of objects that are gone are kept.
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
	locks    sync.Map // from key to *sync.Mutex

	mu      sync.RWMutex
	version uint64
	objects map[key]T
}

func (s *Store[T]) replace(next T) (T, error) {
	k := keyOf(next)
	own, _ := s.locks.LoadOrStore(k, &sync.Mutex{})
	own.(*sync.Mutex).Lock()
	defer own.(*sync.Mutex).Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.objects[k]
	if !ok {
		return next, s.notFound(k)
	}
	if err := s.checkUpdate(k, old, next); err != nil {
		return next, err
	}
	s.keepSystemFields(old, next)
	switch {
	case s.typ.Equal(old, next):
		return old, nil
	case s.deleting(next) && len(next.GetFinalizers()) == 0:
		s.commit(kit.Deleted, k, next)
	default:
		s.commit(kit.Modified, k, next)
	}
	return next, nil
}
