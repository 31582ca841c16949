//go:build ignore

// Mistake: Update asks for a name before it looks for the object, and refuses one without as Invalid.
// Killed by: names-are-per-namespace
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
	if obj.GetName() == "" {
		return none, kit.NewStatusError(kit.ReasonInvalid, "%s: name is required", s.typ.Kind)
	}
	stored, err := s.replace(s.typ.DeepCopy(obj))
	if err != nil {
		return none, err
	}
	return s.typ.DeepCopy(stored), nil
}
