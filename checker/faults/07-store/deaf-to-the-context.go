//go:build ignore

// Mistake: Delete does not look at its context, since nothing in it takes long.
// Killed by: errors-change-nothing
// Verdict: wrong-answer

package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var none T
	if err := ctx.Err(); err != nil && ctx.Done() == nil {
		return none, err
	}
	last, err := s.remove(key{namespace, name}, options.Preconditions)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(last), nil
}
