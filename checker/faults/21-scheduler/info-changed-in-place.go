//go:build ignore

// Mistake: The sum of a node is changed where it stands, under the lock. The filters read it without.
// Killed by: crowd
// Verdict: data-race

package scheduler

func (c *cache) add(uid string, p placement) {
	c.pods[uid] = p
	n := c.named(p.node)
	n.info.Requested = plus(n.info.Requested, p.requests)
}
