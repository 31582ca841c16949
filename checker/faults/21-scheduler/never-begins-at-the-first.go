//go:build ignore

// Mistake: The index 0 is taken for "there was no attempt yet", and no attempt begins there.
// Killed by: enough-is-enough
// Verdict: wrong-answer

package scheduler

func (c *cache) snapshot(buffer []*NodeInfo) []*NodeInfo {
	for i := range c.order {
		buffer = append(buffer, c.order[(max(c.next, 1)+i)%len(c.order)].info)
	}
	return buffer
}

func (c *cache) advance(looked int) {
	if len(c.order) > 0 {
		c.next = (max(c.next, 1) + looked) % len(c.order)
	}
}
