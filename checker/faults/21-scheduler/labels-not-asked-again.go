//go:build ignore

// Mistake: Filters are asked again about a pod that has changed meanwhile only if its spec has.
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
	if kit.Pods.SameSpec(a.entry.pod, a.pod) && now == node {
		a.pod = a.entry.pod
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}
