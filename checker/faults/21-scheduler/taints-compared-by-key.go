//go:build ignore

// Mistake: Taints are compared by their keys. The effect may change as well.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	return old.Status.Allocatable != obj.Status.Allocatable || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.EqualFunc(old.Spec.Taints, obj.Spec.Taints, func(a, b kit.Taint) bool { return a.Key == b.Key }) || !maps.Equal(old.Labels, obj.Labels)
}
