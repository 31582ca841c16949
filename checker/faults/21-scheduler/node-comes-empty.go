//go:build ignore

// Mistake: A node is new when it is first seen. The pods that were known before it do not count.
// Killed by: sums-are-exact
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *cache) setNode(obj *kit.Node) bool {
	n := c.named(obj.Name)
	old := n.info.Node
	n.info = &NodeInfo{obj, n.info.Requested}
	if old == nil {
		n.info.Requested = kit.Resources{}
		n.index = len(c.order)
		c.order = append(c.order, n)
	}
	return old == nil || old.UID != obj.UID || offers(old, obj)
}
