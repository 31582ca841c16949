//go:build ignore

// Mistake: Nobody looks whether a node was uncordoned.
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
		false ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}
