//go:build ignore

// Mistake: A node that has the taints at the first sight is judged already, so that EvictAfter begins then.
// Killed by: clocks-are-not-trusted
// Verdict: wrong-answer

package controlplane

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) hear(node *kit.Node) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	last, known := r.news[node.Name]
	if !known || version(node) > last.version && !last.heartbeat.Equal(node.Status.Heartbeat) {
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known}
		if !known && slices.ContainsFunc(node.Spec.Taints, unreachableTaint) {
			last.unreachable = now
		}
		r.news[node.Name] = last
	}
	return now.Sub(last.at)
}
