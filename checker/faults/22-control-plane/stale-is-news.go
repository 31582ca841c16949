//go:build ignore

// Mistake: The heartbeat in the cache is another than the one that the API server had: news. It is the one
//   before.
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
	if !known || !last.heartbeat.Equal(node.Status.Heartbeat) {
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known}
		r.news[node.Name] = last
	}
	return now.Sub(last.at)
}
