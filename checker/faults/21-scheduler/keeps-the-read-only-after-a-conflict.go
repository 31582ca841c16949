//go:build ignore

// Mistake: Only a conflict says that the pod has changed. After any other error it is tried again as it was.
// Killed by: conflict-tries-again
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if err == nil && !kit.IsConflict(cause) && current.UID == b.pod.UID && pending(current) {
		current = b.pod
	}
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
