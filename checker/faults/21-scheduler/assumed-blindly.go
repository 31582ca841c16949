//go:build ignore

// Mistake: What the filters have seen is believed to be still so when the pod is assumed. With one worker it
//   is.
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
	now = node
	if a.entry.pod == a.pod && now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}
