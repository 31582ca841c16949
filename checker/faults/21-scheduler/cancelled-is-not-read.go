//go:build ignore

// Mistake: An Update that was cancelled was not made, so there is nothing to read. But a client has timeouts
//   of its own, and the request may have arrived.
// Killed by: answer-lost
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	if errors.Is(cause, context.Canceled) {
		b.settle(nil, cause)
		return
	}
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
