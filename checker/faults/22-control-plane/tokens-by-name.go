//go:build ignore

// Mistake: The bucket is that of a name, and a new object of the name finds it empty.
// Killed by: spam-is-cut-off
// Verdict: wrong-answer

package controlplane

func (c *correlator) allowed(o occurrence) bool {
	key := object{o.about.Kind, o.about.Namespace, o.about.Name, ""}
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
