//go:build ignore

// Mistake: A delete of an object that is marked already changes nothing, so the version in its preconditions is not
//   looked at: a client that has read an old object learns that its delete was in time.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkPreconditions(k key, obj T, p kit.Preconditions) error {
	if p.UID != "" && p.UID != s.uid(obj) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if !s.deleting(obj) && p.ResourceVersion != "" && p.ResourceVersion != obj.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	return nil
}
