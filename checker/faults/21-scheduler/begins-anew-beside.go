//go:build ignore

// Mistake: If the pod has changed, the attempt begins anew in a goroutine of its own, and the worker takes the next pod meanwhile.
// Killed by: so-many-workers
// Verdict: wrong-answer

package scheduler

import "context"

func (a *attempt) run(ctx context.Context) {
	node, err := a.find()
	a.mu.Lock()
	changed := err == nil && a.entry.changed
	a.entry.changed = false
	a.mu.Unlock()
	if changed {
		again := *a
		again.nodes, again.feasible = nil, nil
		a.mu.Lock()
		a.cache.remove(a.pod.UID)
		again.pod = a.entry.pod
		a.mu.Unlock()
		a.binding.Go(func() { again.run(ctx) })
		return
	}
	if err != nil {
		a.refused(err)
		return
	}
	b := binding{a.Scheduler, a.entry, a.pod, node}
	a.binding.Go(func() { b.run(ctx) })
}
