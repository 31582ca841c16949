//go:build ignore

// Mistake: A precondition of version 0 is taken for none, as List and Watch take it.
// Killed by: recreated-is-another-object
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkPreconditions(k key, obj T, p kit.Preconditions) error {
	if p.UID != "" && p.UID != s.uid(obj) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if p.ResourceVersion != "" && p.ResourceVersion != "0" && p.ResourceVersion != obj.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	return nil
}
