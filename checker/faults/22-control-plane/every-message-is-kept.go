//go:build ignore

// Mistake: A group keeps each of its messages, although ten of them decide.
// Killed by: a-recorder-forgets
// Verdict: wrong-answer

package controlplane

func (c *correlator) many(alike similar, o occurrence) bool {
	g, known := c.groups.get(alike)
	if !known || o.at.Sub(g.last) > SimilarInterval {
		g = &group{messages: map[string]struct{}{}}
		c.groups.put(alike, g)
	}
	g.last = o.at
	g.messages[o.message] = struct{}{}
	return len(g.messages) >= SimilarEvents
}
