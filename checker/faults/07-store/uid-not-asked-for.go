//go:build ignore

// Mistake: Of the preconditions only the version is checked: a delete that was meant for the old object hits
//   the new one.
// Killed by: recreated-is-another-object
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkPreconditions(k key, obj T, p kit.Preconditions) error {
	if p.UID != "" && s.uid(obj) == "" {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if p.ResourceVersion != "" && p.ResourceVersion != obj.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	return nil
}
