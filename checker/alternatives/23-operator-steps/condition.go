package operator

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// SetCondition puts c among the conditions, in the place of the one of its type, or at the
// end if there is none. It reports whether it has changed anything.
//
// LastTransitionTime is the moment at which Status became what it is, and that of c is
// ignored: of a condition that is new, or whose Status was another one, it becomes now;
// otherwise it stays as it was. One that nobody has set, the zero time, may become now, and that
// alone may be reported as a change or not. Reason, Message and ObservedGeneration become those
// of c.
//
// Others may share the array of the slice that conditions points to: nothing is written to
// it, not even behind the last element.
func SetCondition(conditions *[]kit.Condition, c kit.Condition) (changed bool) {
	old := kit.FindCondition(*conditions, c.Type)
	if old == nil || old.Status != c.Status {
		c.LastTransitionTime = time.Now()
	} else {
		c.LastTransitionTime = old.LastTransitionTime
	}
	if old != nil && *old == c {
		return false
	}
	own := slices.Clone(*conditions)
	if old == nil {
		own = append(own, c)
	} else {
		*kit.FindCondition(own, c.Type) = c
	}
	*conditions = own
	return true
}
