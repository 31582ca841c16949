//go:build ignore

// Mistake: The goroutine that binds looks once more whether the pod still waits. If not, it takes the pod off its node, also if a
//   handler has reported that it is there.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (b binding) run(ctx context.Context) {
	if b.gone() {
		return
	}
	bound := b.pod.DeepCopy()
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

func (b binding) gone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.entry.gone {
		return false
	}
	b.cache.remove(b.pod.UID)
	b.queue.moveAll(time.Now())
	b.queue.done(b.entry)
	return true
}
