//go:build ignore

// Mistake: Create writes the UID down before it knows that it will succeed, and only a delete crosses it out.
// Killed by: keeps-no-history
// Verdict: wrong-answer

package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]

	mu      sync.RWMutex
	version uint64
	objects map[key]T
	uids    map[string]bool
}

func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	return &Store[T]{
		typ:      typ,
		journals: slices.Clone(journals),
		version:  firstVersion,
		objects:  map[key]T{},
		uids:     map[string]bool{},
	}
}

func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := s.checkNew(obj); err != nil {
		return none, err
	}
	created := s.typ.DeepCopy(obj)
	uid := newUID()
	s.mu.Lock()
	s.uids[uid] = true
	s.mu.Unlock()
	s.typ.SetCreated(created, uid, time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	return s.typ.DeepCopy(created), nil
}

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	if what == kit.Deleted {
		delete(s.objects, k)
		delete(s.uids, s.uid(obj))
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
