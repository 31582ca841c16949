//go:build ignore

// Mistake: Update says NotFound and Get fails, so the pod is gone. The first may be the answer of a server that is behind, and the
//   second says nothing.
// Killed by: failed-binding-gives-back
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if err != nil && kit.IsNotFound(cause) {
		err = cause
	}
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
