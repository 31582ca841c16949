//go:build ignore

// Mistake: Every update of a node wakes everybody. There is one for each node every ten seconds.
// Killed by: wrong-events-do-not-wake
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *cache) setNode(obj *kit.Node) bool {
	n := c.named(obj.Name)
	old := n.info.Node
	n.info = &NodeInfo{obj, n.info.Requested}
	if old == nil {
		n.index = len(c.order)
		c.order = append(c.order, n)
	}
	return old == nil || old != obj || offers(old, obj)
}
