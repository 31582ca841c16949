//go:build ignore

// Mistake: The copy of the conditions goes behind the last one, where the array has room for it. That room may be somebody else's.
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
	n := len(*conditions)
	all := append((*conditions)[n:], *conditions...)
	*kit.FindCondition(all, c.Type) = c
	*conditions = all
	return true
}
