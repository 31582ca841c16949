//go:build ignore

// Mistake: The lock is let go when the scrape has been written, that is, when its client has read it.
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
	series := maps.Clone(c.series)
	defer c.mu.RUnlock()
	last := ""
	for _, s := range slices.SortedFunc(maps.Keys(series), byMetric) {
		if metric := metricOf(s); metric != last {
			fmt.Fprintf(w, "# TYPE %s counter\n", metric)
			last = metric
		}
		fmt.Fprintf(w, "%s %d\n", s, series[s].Load())
	}
}
