//go:build ignore

// Mistake: A condition that is there already is overwritten where it stands.
// Killed by: conditions-keep-their-time
// Verdict: wrong-answer

package operator

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func SetCondition(conditions *[]kit.Condition, c kit.Condition) (changed bool) {
	old := kit.FindCondition(*conditions, c.Type)
	if old == nil {
		c.LastTransitionTime = time.Now()
		*conditions = append(slices.Clip(*conditions), c)
		return true
	}
	c.LastTransitionTime = old.LastTransitionTime
	if c.Status != old.Status {
		c.LastTransitionTime = time.Now()
	}
	if c == *old {
		return false
	}
	*old = c
	return true
}
