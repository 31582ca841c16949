//go:build ignore

// Mistake: An error is taken for a proof that nothing was written: the room is given back and the pod tried
//   again.
// Killed by: answer-lost
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	if b.settle(nil, cause) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
