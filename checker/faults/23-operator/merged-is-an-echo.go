//go:build ignore

// Mistake: Where the status has changed, it was written by the operator itself.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func echo(before, after *kit.Database) bool {
	if !same(before.Status, after.Status) {
		return true
	}
	return before.ResourceVersion != after.ResourceVersion &&
		before.UID == after.UID &&
		before.Generation == after.Generation &&
		(before.DeletionTimestamp == nil) == (after.DeletionTimestamp == nil) &&
		slices.Equal(before.Finalizers, after.Finalizers)
}
