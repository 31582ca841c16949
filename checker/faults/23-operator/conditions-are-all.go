//go:build ignore

// Mistake: A status whose conditions are as they were is as it was.
// Killed by: nothing-new-nothing-written
// Verdict: wrong-answer

package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func same(a, b kit.DatabaseStatus) bool {
	return a.Endpoint == b.Endpoint && slices.EqualFunc(a.Conditions, b.Conditions, sameCondition)
}
