package operator

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// SetCondition puts c among the conditions. It works on a copy of the slice, because the
// conditions of an object from a cache are everybody's.
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
	all := slices.Clone(*conditions)
	*kit.FindCondition(all, c.Type) = c
	*conditions = all
	return true
}
