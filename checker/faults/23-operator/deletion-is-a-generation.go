//go:build ignore

// Mistake: The beginning of a deletion is a new generation anyhow.
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
