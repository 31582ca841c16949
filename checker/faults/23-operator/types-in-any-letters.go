//go:build ignore

// Mistake: Types are compared as people read them, ready like Ready.
// Killed by: conditions-keep-their-time
// Verdict: wrong-answer

package operator

import (
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func SetCondition(conditions *[]kit.Condition, c kit.Condition) (changed bool) {
	var old *kit.Condition
	i := slices.IndexFunc(*conditions, func(has kit.Condition) bool { return strings.EqualFold(has.Type, c.Type) })
	if i >= 0 {
		old = &(*conditions)[i]
	}
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
	all := slices.Clone(*conditions)
	all[i] = c
	*conditions = all
	return true
}
