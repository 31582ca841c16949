//go:build ignore

// Mistake: The recorder has one bucket of tokens, whatever its events are about.
// Killed by: spam-is-cut-off
// Verdict: wrong-answer

package controlplane

func (c *correlator) allowed(o occurrence) bool {
	key := object{}
	b, known := c.buckets.get(key)
	if !known {
		b = &bucket{tokens: SpamBurst, at: o.at}
		c.buckets.put(key, b)
	}
	b.tokens = min(SpamBurst, b.tokens+float64(o.at.Sub(b.at))/float64(SpamRefill))
	b.at = o.at
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
