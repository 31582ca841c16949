//go:build ignore

// Mistake: The bucket is that of a name and a UID, and objects of another kind or namespace share it.
// Killed by: spam-is-cut-off
// Verdict: wrong-answer

package controlplane

func (c *correlator) allowed(o occurrence) bool {
	key := object{"", "", o.about.Name, o.about.UID}
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
