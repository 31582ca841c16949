//go:build ignore

// Mistake: A node has changed if other pods count on it. That it was cordoned since the filters saw it
//   is not noticed.
// Killed by: two-workers-one-place
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
	if now != nil && now.Requested == node.Requested {
		now = node
	}
	if a.entry.pod == a.pod && now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}
