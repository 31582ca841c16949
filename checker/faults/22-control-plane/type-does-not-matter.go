//go:build ignore

// Mistake: A warning and a normal event with the same words are the same event.
// Killed by: the-same-event-is-counted
// Verdict: wrong-answer

package controlplane

func (c *correlator) entry(o occurrence) *entry {
	alike := similar{o.about.Kind, o.about.Namespace, o.about.Name, o.about.UID, "", o.reason}
	key, message := same{similar: alike, message: o.message}, o.message
	if c.many(alike, o) {
		key, message = same{similar: alike, combined: true}, CombinedPrefix+o.message
	}
	e, known := c.entries.get(key)
	if !known {
		e = &entry{first: o.at}
		c.entries.put(key, e)
	}
	e.message = message
	return e
}
