//go:build ignore

// Mistake: A new node is empty, so the next attempt begins with the list of nodes anew.
// Killed by: enough-is-enough
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
		c.next = 0
	}
	return old == nil || old.UID != obj.UID || offers(old, obj)
}
