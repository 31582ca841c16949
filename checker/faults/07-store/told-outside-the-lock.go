//go:build ignore

// Mistake: Journals are called after the lock is released, so as not to hold it for long: two changes can
//   overtake each other on the way.
// Killed by: lists-and-journal-agree
// Verdict: data-race

package store

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if err := s.checkNew(obj); err != nil {
		return none, err
	}
	created := s.typ.DeepCopy(obj)
	s.typ.SetCreated(created, newUID(), time.Now())
	s.typ.SetDeleting(created, nil)
	created.SetGeneration(1)
	if err := s.insert(created); err != nil {
		return none, err
	}
	for _, j := range s.journals {
		j.Commit(kit.Event[T]{Type: kit.Added, Object: created})
	}
	return s.typ.DeepCopy(created), nil
}

func (s *Store[T]) commit(what kit.EventType, k key, obj T) {
	s.version++
	obj.SetResourceVersion(format(s.version))
	if what == kit.Deleted {
		delete(s.objects, k)
	} else {
		s.objects[k] = obj
	}
	for _, j := range s.journals {
		if what == kit.Added {
			break
		}
		j.Commit(kit.Event[T]{Type: what, Object: obj})
	}
}
