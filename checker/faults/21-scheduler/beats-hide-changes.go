//go:build ignore

// Mistake: An update with another heartbeat is a heartbeat, and moves nobody, whatever else it brings.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	if !old.Status.Heartbeat.Equal(obj.Status.Heartbeat) && old.Status.Ready == obj.Status.Ready {
		return false
	}
	return old.Status.Allocatable != obj.Status.Allocatable || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}
