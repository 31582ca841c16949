//go:build ignore

// Mistake: A new condition goes behind the last one, so append disturbs none of those that were there.
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
		*conditions = append(*conditions, c)
		return true
	}
	c.LastTransitionTime = old.LastTransitionTime
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
