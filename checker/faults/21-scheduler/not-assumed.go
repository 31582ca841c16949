//go:build ignore

// Mistake: The pod counts on its node when the informer says so, and not before.
// Killed by: assumed-counts-at-once
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (a *attempt) tryAssume(node *NodeInfo) (pod *kit.Pod, now *NodeInfo) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.entry.gone {
		return nil, nil
	}
	now = a.cache.get(node.Node.Name)
	if a.entry.pod == a.pod && now == node {
	}
	return a.entry.pod, now
}
