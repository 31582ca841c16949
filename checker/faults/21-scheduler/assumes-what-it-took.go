//go:build ignore

// Mistake: A pod counts with what it requested when the worker took it, though it has changed since, and is
//   filtered and bound as it is now.
// Killed by: two-workers-one-place
// Verdict: wrong-answer

package scheduler

import "context"

func (a *attempt) run(ctx context.Context) {
	took := a.pod.Spec // it may be another at the end of find
	node, err := a.find()
	if err != nil {
		a.refused(err)
		return
	}
	a.mu.Lock()
	if a.cache.assumed(a.pod.UID) {
		old := a.pod.DeepCopy()
		old.Spec.CPU, old.Spec.Memory = took.CPU, took.Memory
		a.cache.remove(a.pod.UID)
		a.cache.assume(old, node)
	}
	a.mu.Unlock()
	b := binding{a.Scheduler, a.entry, a.pod, node}
	a.binding.Go(func() { b.run(ctx) })
}
