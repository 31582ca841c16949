//go:build ignore

// Mistake: The version in a precondition is read as a number that may have a sign: "+7" is then the version 7.
// Killed by: recreated-is-another-object
// Verdict: wrong-answer

package store

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) checkPreconditions(k key, obj T, p kit.Preconditions) error {
	if p.UID != "" && p.UID != s.uid(obj) {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	if p.ResourceVersion == "" {
		return nil
	}
	asked, err := strconv.Atoi(p.ResourceVersion)
	if err != nil || strconv.Itoa(asked) != obj.GetResourceVersion() {
		return kit.NewConflict(s.typ.Resource, k.String())
	}
	return nil
}
