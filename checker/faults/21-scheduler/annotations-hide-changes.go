//go:build ignore

// Mistake: An update with other annotations is an update of annotations, and moves nobody, whatever else it brings.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func offers(old, obj *kit.Node) bool {
	if !maps.Equal(old.Annotations, obj.Annotations) {
		return false
	}
	return old.Status.Allocatable != obj.Status.Allocatable || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}
