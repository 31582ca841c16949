//go:build ignore

// Mistake: How old a heartbeat is follows from the time that it carries.
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
	if !known || version(node) > last.version && !last.heartbeat.Equal(node.Status.Heartbeat) {
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known}
		r.news[node.Name] = last
	}
	return now.Sub(node.Status.Heartbeat)
}
