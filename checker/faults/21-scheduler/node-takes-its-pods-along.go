//go:build ignore

// Mistake: When a node goes, what its pods request goes too. When it comes back it looks empty.
// Killed by: sums-are-exact
// Verdict: wrong-answer

package scheduler

func (c *cache) removeNode(name string) {
	n := c.nodes[name]
	if n == nil || n.info.Node == nil {
		return
	}
	last := c.order[len(c.order)-1]
	c.order[n.index], last.index = last, n.index
	c.order[len(c.order)-1] = nil
	c.order = c.order[:len(c.order)-1]
	n.info = &NodeInfo{}
	c.drop(name)
}
