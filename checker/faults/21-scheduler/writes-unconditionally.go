//go:build ignore

// Mistake: A write without a resource version never meets a conflict. It also never sees that somebody was
//   quicker.
// Killed by: conflict-never-overwrites
// Verdict: wrong-answer

package scheduler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) run(ctx context.Context) {
	bound := b.pod.DeepCopy()
	bound.Spec.NodeName = b.node
	bound.ResourceVersion = ""
	if _, err := b.options.Pods.Update(ctx, bound); err != nil {
		b.failed(ctx, err)
		return
	}
	b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.done(b.entry)
}
