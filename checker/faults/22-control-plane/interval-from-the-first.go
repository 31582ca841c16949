//go:build ignore

// Mistake: The ten minutes are counted from the first of the similar events, not from the last.
// Killed by: similar-events-are-combined
// Verdict: wrong-answer

package controlplane

func (c *correlator) many(alike similar, o occurrence) bool {
	g, known := c.groups.get(alike)
	if !known || o.at.Sub(g.last) > SimilarInterval {
		g = &group{messages: map[string]struct{}{}, last: o.at}
		c.groups.put(alike, g)
	}
	if len(g.messages) < SimilarEvents {
		g.messages[o.message] = struct{}{}
	}
	return len(g.messages) >= SimilarEvents
}
