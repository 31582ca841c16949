//go:build ignore

// Mistake: A node is unreachable from the end of its grace period on, whenever Reconcile is called to see it.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import "time"

func (r *NodeLifecycleReconciler) judge(name string) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.news[name]
	if last.unreachable.IsZero() {
		last.unreachable = last.at.Add(r.GracePeriod)
		r.news[name] = last
	}
	return last.unreachable
}
