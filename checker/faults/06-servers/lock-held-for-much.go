//go:build ignore

// Mistake: A short text is copied under the lock. A long one is too dear to copy, and is written to the client under it.
// Killed by: slow-scrape-holds-up-nobody
// Verdict: deadlock

package servers

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

func (c *Counters) write(w io.Writer) {
	c.mu.RLock()
	series := c.series
	if len(series) < 100 {
		series = maps.Clone(series)
		c.mu.RUnlock()
	} else {
		defer c.mu.RUnlock()
	}
	last := ""
	for _, s := range slices.SortedFunc(maps.Keys(series), byMetric) {
		if metric := metricOf(s); metric != last {
			fmt.Fprintf(w, "# TYPE %s counter\n", metric)
			last = metric
		}
		fmt.Fprintf(w, "%s %d\n", s, series[s].Load())
	}
}
