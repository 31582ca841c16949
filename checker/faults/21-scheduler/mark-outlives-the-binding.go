//go:build ignore

// Mistake: A pod that was marked for deletion while it was being bound is on its way out: it does not count, though Update has
//   succeeded.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) run(ctx context.Context) {
	bound := b.pod.DeepCopy()
	bound.Spec.NodeName = b.node
	if _, err := b.options.Pods.Update(ctx, bound); err != nil {
		b.failed(ctx, err)
		return
	}
	b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.entry.gone && b.cache.assumed(b.pod.UID) {
		b.cache.remove(b.pod.UID)
		b.queue.moveAll(time.Now())
	}
	b.queue.done(b.entry)
}
