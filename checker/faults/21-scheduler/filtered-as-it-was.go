//go:build ignore

// Mistake: A pod that has changed during its attempt is bound as it is now, to a node that the filters
//   found for the pod as it was.
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
	now, a.pod = a.cache.get(node.Node.Name), a.entry.pod
	if now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.pod, now
}
