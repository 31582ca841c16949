//go:build ignore

// Mistake: An update in which the Database begins to be deleted enqueues nothing if its generation is the same.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func echo(before, after *kit.Database) bool {
	return before.ResourceVersion != after.ResourceVersion &&
		before.UID == after.UID &&
		before.Generation == after.Generation &&
		slices.Equal(before.Finalizers, after.Finalizers)
}
