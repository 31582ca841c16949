//go:build ignore

// Mistake: LastTransitionTime is what the new condition says, and now if it says nothing (as SetStatusCondition of apimachinery has it).
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
	now := c.LastTransitionTime
	if now.IsZero() {
		now = time.Now()
	}
	if old == nil {
		c.LastTransitionTime = now
		*conditions = append(slices.Clip(*conditions), c)
		return true
	}
	c.LastTransitionTime = old.LastTransitionTime
	if c.Status != old.Status {
		c.LastTransitionTime = now
	}
	if c == *old {
		return false
	}
	all := slices.Clone(*conditions)
	*kit.FindCondition(all, c.Type) = c
	*conditions = all
	return true
}
