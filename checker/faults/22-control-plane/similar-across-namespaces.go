//go:build ignore

// Mistake: Events about objects of one name in two namespaces are taken for similar.
// Killed by: similar-events-are-combined
// Verdict: wrong-answer

package controlplane

func (c *correlator) many(alike similar, o occurrence) bool {
	alike.namespace = ""
	g, known := c.groups.get(alike)
	if !known || o.at.Sub(g.last) > SimilarInterval {
		g = &group{messages: map[string]struct{}{}}
		c.groups.put(alike, g)
	}
	g.last = o.at
	if len(g.messages) < SimilarEvents {
		g.messages[o.message] = struct{}{}
	}
	return len(g.messages) >= SimilarEvents
}
