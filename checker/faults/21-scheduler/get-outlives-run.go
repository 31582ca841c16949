//go:build ignore

// Mistake: Get is called with a ctx that does not end with the one of Run, so that the answer is surely read; an API server
//   that hangs keeps Run from its end.
// Killed by: run-ends
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	current, err := b.options.Pods.Get(context.WithoutCancel(ctx), b.pod.Namespace, b.pod.Name)
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
