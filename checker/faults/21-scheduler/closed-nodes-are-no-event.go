//go:build ignore

// Mistake: Whatever changes of a node that is cordoned or not ready is no event. A filter need not mind either.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	if obj.Spec.Unschedulable || !obj.Status.Ready {
		return false
	}
	return old.Status.Allocatable != obj.Status.Allocatable || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}
