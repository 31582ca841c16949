//go:build ignore

// Mistake: The API server has refused the Update as invalid, so nothing was written, and there is no need to read the pod again.
// Killed by: failed-binding-gives-back
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	current, err := b.pod, error(nil)
	if kit.ReasonFor(cause) != kit.ReasonInvalid {
		current, err = b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	}
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
