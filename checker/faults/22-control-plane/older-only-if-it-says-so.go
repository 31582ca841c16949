//go:build ignore

// Mistake: A heartbeat in the cache is an old one if its version is older and its time, too.
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
	if !known || (version(node) > last.version || node.Status.Heartbeat.After(last.heartbeat)) && !last.heartbeat.Equal(node.Status.Heartbeat) {
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known}
		r.news[node.Name] = last
	}
	return now.Sub(last.at)
}
