//go:build ignore

// Mistake: A report without a node is older than the answer of Update, so a pod that it has shown as ended counts
//   again when Update has succeeded.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) podSeen(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ended(pod):
		s.remove(pod)
		if e := s.queue.entries[pod.UID]; e != nil {
			e.pod = pod // for the end of its binding
		}
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}

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
	if seen := b.entry.pod; ended(seen) && seen.Spec.NodeName == "" {
		b.place(bound)
	}
	b.queue.done(b.entry)
}
