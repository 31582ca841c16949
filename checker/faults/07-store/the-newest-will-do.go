//go:build ignore

// Mistake: An update from the version of the store is accepted too, because a list has it: it overwrites an object that its\n//   writer has never read.
// Killed by: stale-write-conflicts
// Verdict: wrong-answer

package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	next := s.typ.DeepCopy(obj)
	if next.GetResourceVersion() == s.newest() {
		s.mu.RLock()
		if old, ok := s.objects[keyOf(next)]; ok {
			next.SetResourceVersion(old.GetResourceVersion())
		}
		s.mu.RUnlock()
	}
	stored, err := s.replace(next)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}

func (s *Store[T]) newest() string {
	list, _ := s.List(context.Background(), kit.ListOptions{})
	return list.ResourceVersion
}
