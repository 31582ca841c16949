//go:build ignore

// Mistake: All events that are combined are counted in the same one, whatever object they are about.
// Killed by: similar-events-are-combined
// Verdict: wrong-answer

package controlplane

func (c *correlator) entry(o occurrence) *entry {
	alike := similar{o.about.Kind, o.about.Namespace, o.about.Name, o.about.UID, o.typ, o.reason}
	key, message := same{similar: alike, message: o.message}, o.message
	if c.many(alike, o) {
		key, message = same{combined: true}, CombinedPrefix+o.message
	}
	e, known := c.entries.get(key)
	if !known {
		e = &entry{first: o.at}
		c.entries.put(key, e)
	}
	e.message = message
	return e
}
