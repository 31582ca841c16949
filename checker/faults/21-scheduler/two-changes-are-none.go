//go:build ignore

// Mistake: That something has changed is written as one comparison that differs from another, so two changes in one update
//   cancel each other out.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	resources := old.Status.Allocatable != obj.Status.Allocatable
	labels := !maps.Equal(old.Labels, obj.Labels)
	return resources != labels || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable || !slices.Equal(old.Spec.Taints, obj.Spec.Taints)
}
