//go:build ignore

// Mistake: Nobody has set LastTransitionTime of the condition that was there, so that of the caller is better than none.
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
	if !old.LastTransitionTime.IsZero() {
		c.LastTransitionTime = old.LastTransitionTime
	}
	if c.Status != old.Status {
		c.LastTransitionTime = time.Now()
	}
	if c == *old {
		return false
	}
	all := slices.Clone(*conditions)
	*kit.FindCondition(all, c.Type) = c
	*conditions = all
	return true
}
