//go:build ignore

// Mistake: Only events with the very same message belong together.
// Killed by: similar-events-are-combined
// Verdict: wrong-answer

package controlplane

func (c *correlator) many(alike similar, o occurrence) bool {
	g, known := c.groups.get(alike)
	if !known || o.at.Sub(g.last) > SimilarInterval {
		g = &group{messages: map[string]struct{}{}}
		c.groups.put(alike, g)
	}
	g.last = o.at
	if len(g.messages) < SimilarEvents {
		g.messages[o.message] = struct{}{}
	}
	return false
}
