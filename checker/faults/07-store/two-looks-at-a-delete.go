//go:build ignore

// Mistake: Delete checks the preconditions under one lock and deletes under another.
// Killed by: one-winner-per-version
// Verdict: wrong-answer

package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	k := key{namespace, name}
	s.mu.RLock()
	old, ok := s.objects[k]
	s.mu.RUnlock()
	if !ok {
		return none, s.notFound(k)
	}
	if err := s.checkPreconditions(k, old, options.Preconditions); err != nil {
		return none, err
	}
	last, err := s.remove(k, kit.Preconditions{})
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(last), nil
}
