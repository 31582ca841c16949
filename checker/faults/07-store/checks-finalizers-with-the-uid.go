//go:build ignore

// Mistake: New finalizers are refused only if the update names the UID, in the branch that compares it.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkUpdate(k key, old, next T) error {
	if next.GetResourceVersion() == "" {
		return kit.NewStatusError(kit.ReasonInvalid, "%s %q: resourceVersion must be specified for an update", s.typ.Resource, k)
	}
	if next.GetResourceVersion() != old.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if uid := s.uid(next); uid != "" && uid != s.uid(old) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	named := s.uid(next) != ""
	if named && s.deleting(old) && hasNew(old.GetFinalizers(), next.GetFinalizers()) {
		return kit.NewStatusError(kit.ReasonInvalid, "%s %q: no new finalizers can be added if the object is being deleted", s.typ.Resource, k)
	}
	return nil
}
