//go:build ignore

// Mistake: A change of a node that wakes no pod is not worth keeping either.
// Killed by: wrong-events-do-not-wake
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *cache) setNode(obj *kit.Node) bool {
	n := c.named(obj.Name)
	old := n.info.Node
	if old != nil && old.UID == obj.UID && !offers(old, obj) {
		return false
	}
	n.info = &NodeInfo{obj, n.info.Requested}
	if old == nil {
		n.index = len(c.order)
		c.order = append(c.order, n)
	}
	return true
}
