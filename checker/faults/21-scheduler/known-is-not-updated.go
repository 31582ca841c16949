//go:build ignore

// Mistake: A pod that counts already is left as it is, whatever it requests now.
// Killed by: sums-are-exact
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *cache) place(pod *kit.Pod) (freed bool) {
	old, known := c.pods[pod.UID]
	p := placement{pod.Spec.NodeName, requests(pod), false}
	if !known {
		c.add(pod.UID, p)
	}
	return known && (old.node != p.node || old.requests != p.requests)
}
