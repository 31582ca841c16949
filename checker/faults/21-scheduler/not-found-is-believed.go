//go:build ignore

// Mistake: An Update that returns NotFound needs no Get: the pod is gone.
// Killed by: failed-binding-gives-back
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	if kit.IsNotFound(cause) {
		b.settle(nil, cause)
		return
	}
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
