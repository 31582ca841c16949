//go:build ignore

// Mistake: Create refuses an object that has been read from a server, and asks for a number to know it.
// Killed by: errors-change-nothing
// Verdict: wrong-answer

package store

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) checkNew(obj T) error {
	if obj.GetName() == "" && obj.GetGenerateName() == "" {
		return kit.NewStatusError(kit.ReasonInvalid, "%s: name or generateName is required", s.typ.Kind)
	}
	if _, err := strconv.ParseUint(obj.GetResourceVersion(), 10, 64); err == nil {
		return kit.NewStatusError(kit.ReasonBadRequest, "resourceVersion should not be set on objects to be created")
	}
	return nil
}
