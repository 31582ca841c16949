//go:build ignore

// Mistake: A node that was made anew is taken for the one that was lost, because its heartbeat is the same.
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
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known}
		r.news[node.Name] = last
	}
	return now.Sub(last.at)
}
