//go:build ignore

// Mistake: Versions are compared as numbers, and read as Go reads those in its source: "0x1b" is then 27, too.
// Killed by: stale-write-conflicts
// Verdict: wrong-answer

package store

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) checkUpdate(k key, old, next T) error {
	if next.GetResourceVersion() == "" {
		return kit.NewStatusError(kit.ReasonInvalid, "%s %q: resourceVersion must be specified for an update", s.typ.Resource, k)
	}
	asked, err := strconv.ParseUint(next.GetResourceVersion(), 0, 64)
	if err != nil || format(asked) != old.GetResourceVersion() {
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
