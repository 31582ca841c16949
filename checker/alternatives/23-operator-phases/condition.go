package operator

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// SetCondition works on a clone from the beginning, and keeps it if it is different.
func SetCondition(conditions *[]kit.Condition, c kit.Condition) (changed bool) {
	next := slices.Clone(*conditions)
	i := slices.IndexFunc(next, func(old kit.Condition) bool { return old.Type == c.Type })
	if i < 0 {
		next = append(next, kit.Condition{Type: c.Type})
		i = len(next) - 1
	}
	old := next[i]
	if c.LastTransitionTime = old.LastTransitionTime; c.Status != old.Status || old.LastTransitionTime.IsZero() {
		c.LastTransitionTime = time.Now()
	}
	next[i] = c
	if slices.Equal(next, *conditions) {
		return false
	}
	*conditions = next
	return true
}
