//go:build ignore

// Mistake: Delete reads the version of its precondition as a number first, before the lock: one that is none is a Conflict,
//   whether the object is there or not.
// Killed by: recreated-is-another-object
// Verdict: wrong-answer

package store

import (
	"context"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	k := key{namespace, name}
	if v := options.Preconditions.ResourceVersion; v != "" {
		if n, err := strconv.ParseUint(v, 10, 64); err != nil || n == 0 {
			return none, kit.NewConflict(s.typ.Resource, k.String())
		}
	}
	last, err := s.remove(k, options.Preconditions)
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(last), nil
}
