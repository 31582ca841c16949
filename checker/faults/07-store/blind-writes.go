//go:build ignore

// Mistake: An update without a version is taken for one of the newest version, as pods still allow: the last
//   writer wins.
// Killed by: stale-write-conflicts
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Store[T]) checkUpdate(k key, old, next T) error {
	if next.GetResourceVersion() == "" {
		return nil
	}
	if next.GetResourceVersion() != old.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if uid := s.uid(next); uid != "" && uid != s.uid(old) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if s.deleting(old) && hasNew(old.GetFinalizers(), next.GetFinalizers()) {
		return kit.NewStatusError(kit.ReasonInvalid, "%s %q: no new finalizers can be added if the object is being deleted", s.typ.Resource, k)
	}
	return nil
}
