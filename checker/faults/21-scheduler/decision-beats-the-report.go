//go:build ignore

// Mistake: A pod that somebody else has bound while the filters looked at a node is not bound there, but it is made to count
//   there, and no longer where the handler has reported it.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (a *attempt) tryAssume(node *NodeInfo) (pod *kit.Pod, now *NodeInfo) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now = a.cache.get(node.Node.Name); now == node && a.cache.has(a.pod.UID) {
		a.cache.remove(a.pod.UID)
		a.cache.add(a.pod.UID, placement{node.Node.Name, requests(a.pod), false})
	}
	if a.entry.gone {
		return nil, nil
	}
	if a.entry.pod == a.pod && now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}
