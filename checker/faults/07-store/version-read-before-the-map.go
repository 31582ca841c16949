//go:build ignore

// Mistake: Update reads the version as a number first, before the lock: one that is none is Invalid, whether the object
//   is there or not.
// Killed by: names-are-per-namespace
// Verdict: wrong-answer

package store

import (
	"context"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if v := obj.GetResourceVersion(); v != "" {
		if n, err := strconv.ParseUint(v, 10, 64); err != nil || n == 0 {
			return none, kit.NewStatusError(kit.ReasonInvalid, "%s: resourceVersion %q is not a version", s.typ.Resource, v)
		}
	}
	stored, err := s.replace(s.typ.DeepCopy(obj))
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
