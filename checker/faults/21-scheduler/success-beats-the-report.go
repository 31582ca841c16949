//go:build ignore

// Mistake: Update has returned no error, so the pod is where it was to be bound, though a handler has reported it elsewhere.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) run(ctx context.Context) {
	bound := b.pod.DeepCopy() // the pod itself belongs to the informer's cache
	bound.Spec.NodeName = b.node
	if _, err := b.options.Pods.Update(ctx, bound); err != nil {
		b.failed(ctx, err)
		return
	}
	b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.cache.pods[b.pod.UID]; ok && p.node != b.node {
		b.place(bound)
	}
	b.queue.done(b.entry)
}
