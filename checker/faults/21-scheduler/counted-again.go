//go:build ignore

// Mistake: Each notification of a bound pod adds its requests once more.
// Killed by: sums-are-exact
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *cache) place(pod *kit.Pod) (freed bool) {
	old, known := c.pods[pod.UID]
	p := placement{pod.Spec.NodeName, requests(pod), false}
	c.add(pod.UID, p)
	return known && (old.node != p.node || old.requests != p.requests)
}
