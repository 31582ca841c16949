//go:build ignore

// Mistake: The pod is assumed unless the node has changed since the filters saw it, and of a node that is
//   gone there is nothing to compare.
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
	if now = a.cache.get(node.Node.Name); now == nil {
		now = node
	}
	if a.entry.pod == a.pod && now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}
