//go:build ignore

// Mistake: Get answers from a copy of the map that is renewed now and then: a write that has returned is not
//   seen by the read that follows it.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package store

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]

	mu      sync.RWMutex
	version uint64
	objects map[key]T
	cache   map[key]T
	reads   int
}

func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	k := key{namespace, name}
	s.mu.Lock()
	if s.reads++; s.reads%4 == 1 {
		s.cache = map[key]T{}
		for k, obj := range s.objects {
			s.cache[k] = obj
		}
	}
	obj, ok := s.cache[k]
	s.mu.Unlock()
	if !ok {
		return none, s.notFound(k)
	}
	return s.typ.DeepCopy(obj), nil
}
