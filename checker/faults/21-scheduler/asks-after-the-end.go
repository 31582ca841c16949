//go:build ignore

// Mistake: When a binding has failed of which a handler has said that its pod is gone, the attempt ends at once, and the goroutine calls Get
//   all the same.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) failed(ctx context.Context, cause error) {
	b.mu.Lock()
	over := b.entry.gone && !b.cache.has(b.pod.UID)
	if over {
		b.queue.done(b.entry)
	}
	b.mu.Unlock()
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if !over && b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}
