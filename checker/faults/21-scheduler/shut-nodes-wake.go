//go:build ignore

// Mistake: A node that was closed may be open now, so each update of a node that was cordoned, not ready or tainted wakes everybody,
//   and each heartbeat is an update.
// Killed by: wrong-events-do-not-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	return old.Status.Allocatable != obj.Status.Allocatable || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable || !old.Status.Ready || old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}
