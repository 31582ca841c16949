//go:build ignore

// Mistake: The precondition of a delete is compared with the version of the store: it fails as soon as any other object\n//   is written.
// Killed by: recreated-is-another-object
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkPreconditions(k key, obj T, p kit.Preconditions) error {
	if p.UID != "" && p.UID != s.uid(obj) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if p.ResourceVersion != "" && p.ResourceVersion != format(s.version) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	return nil
}
