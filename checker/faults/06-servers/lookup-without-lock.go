//go:build ignore

// Mistake: The lock is taken only to add a series; finding one is believed to need none.
// Killed by: counts-are-exact
// Verdict: data-race

package servers

func (c *Counters) Inc(series string) {
	n := c.series[series]
	if n == nil {
		n = c.add(series)
	}
	n.Add(1)
}
