//go:build ignore

// Mistake: Nobody wants to read that a pod was scheduled which is being deleted.
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
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		if e := s.queue.entries[pod.UID]; e != nil {
			e.pod = pod
		}
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
		// Old news: we have given it a node since.
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
	b.mu.Lock()
	leaving := b.entry.pod.DeletionTimestamp != nil
	b.mu.Unlock()
	if !leaving {
		b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.done(b.entry)
}
