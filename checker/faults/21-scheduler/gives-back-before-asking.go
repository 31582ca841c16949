//go:build ignore

// Mistake: The room is given back first, and then the API server is asked what has happened.
// Killed by: answer-lost
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	b.mu.Lock()
	b.cache.remove(b.pod.UID)
	b.queue.moveAll(time.Now())
	b.mu.Unlock()
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
