package operator

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// SetCondition builds a new list each time.
func SetCondition(conditions *[]kit.Condition, c kit.Condition) (changed bool) {
	next := make([]kit.Condition, 0, len(*conditions)+1)
	found := false
	for _, old := range *conditions {
		if old.Type != c.Type {
			next = append(next, old)
			continue
		}
		found = true
		c.LastTransitionTime = old.LastTransitionTime
		if old.Status != c.Status {
			c.LastTransitionTime = time.Now()
		}
		changed = old != c
		next = append(next, c)
	}
	if !found {
		c.LastTransitionTime = time.Now()
		next, changed = append(next, c), true
	}
	*conditions = next
	return changed
}
