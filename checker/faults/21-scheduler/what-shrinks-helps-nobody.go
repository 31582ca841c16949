//go:build ignore

// Mistake: A node of which anything shrinks helps nobody. But something else of it may have grown.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	had, has := old.Status.Allocatable, obj.Status.Allocatable
	grown := had != has && has.CPU >= had.CPU && has.Memory >= had.Memory && has.Pods >= had.Pods
	return grown || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}
