//go:build ignore

// Mistake: A resync brings the very object that the handler has had before. But a list after a broken watch brings another copy of it.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func echo(before, after *kit.Database) bool {
	return before != after &&
		before.UID == after.UID &&
		before.Generation == after.Generation &&
		(before.DeletionTimestamp == nil) == (after.DeletionTimestamp == nil) &&
		slices.Equal(before.Finalizers, after.Finalizers)
}
