//go:build ignore

// Mistake: Readers get a snapshot that each writer makes under the lock and publishes after it: an older one can come
//   last, and a caller does not find its own write.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package store

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Store[T kit.Object] struct {
	typ      kit.Type[T]
	journals []kit.Journal[T]
	shown    atomic.Pointer[map[key]T] // what Get reads

	mu      sync.RWMutex
	version uint64
	objects map[key]T
}

func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	s := &Store[T]{typ: typ, journals: slices.Clone(journals), version: firstVersion, objects: map[key]T{}}
	s.shown.Store(&map[key]T{})
	return s
}

func (s *Store[T]) unlockAndShow() {
	now := maps.Clone(s.objects)
	s.mu.Unlock()
	s.shown.Store(&now)
}

func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	k := key{namespace, name}
	obj, ok := (*s.shown.Load())[k]
	if !ok {
		return none, s.notFound(k)
	}
	return s.typ.DeepCopy(obj), nil
}

func (s *Store[T]) insert(created T) error {
	s.mu.Lock()
	defer s.unlockAndShow()
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

func (s *Store[T]) replace(next T) (T, error) {
	k := keyOf(next)
	s.mu.Lock()
	defer s.unlockAndShow()
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

func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	last, err := s.remove(key{namespace, name}, options.Preconditions)
	s.mu.Lock()
	s.unlockAndShow()
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(last), nil
}
