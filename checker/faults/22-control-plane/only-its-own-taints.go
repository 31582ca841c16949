//go:build ignore

// Mistake: The taints of an earlier reconciler are not its own, and stay when there is news of the node.
// Killed by: clocks-are-not-trusted
// Verdict: wrong-answer

package controlplane

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) hear(node *kit.Node) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	last, known := r.news[node.Name]
	// What the cache shows may be older than what the API server has said: that is no news.
	if !known || version(node) > last.version && !last.heartbeat.Equal(node.Status.Heartbeat) {
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known && !last.unreachable.IsZero()}
		r.news[node.Name] = last
	}
	return now.Sub(last.at)
}
