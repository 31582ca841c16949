//go:build ignore

// Mistake: The node name is written into the pod that the handler was given. That belongs to the informer's
//   cache, and everybody reads it.
// Killed by: gives-a-pod-a-node
// Verdict: data-race

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) run(ctx context.Context) {
	bound := b.pod
	bound.Spec.NodeName = b.node
	if _, err := b.options.Pods.Update(ctx, bound); err != nil {
		b.failed(ctx, err)
		return
	}
	b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.done(b.entry)
}
