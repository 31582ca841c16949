//go:build ignore

// Mistake: A generateName of more than 253 characters is refused, as a name of that length would be.
// Killed by: generated-names
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkNew(obj T) error {
	if obj.GetName() == "" && obj.GetGenerateName() == "" || len(obj.GetGenerateName()) > 253 {
		return kit.NewStatusError(kit.ReasonInvalid, "%s: name or generateName is required", s.typ.Kind)
	}
	if obj.GetResourceVersion() != "" {
		return kit.NewStatusError(kit.ReasonBadRequest, "resourceVersion should not be set on objects to be created")
	}
	return nil
}
