//go:build ignore

// Mistake: The pod is read again under the lock, so that nothing changes before the answer is used. Meanwhile
//   nobody else gets anywhere.
// Killed by: no-lock-held-outside
// Verdict: deadlock

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	b.mu.Lock()
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	b.mu.Unlock()
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
