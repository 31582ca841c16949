//go:build ignore

// Mistake: A scrape only reads, so it takes no lock; the map is written meanwhile.
// Killed by: counts-are-exact
// Verdict: data-race

package servers

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

func (c *Counters) write(w io.Writer) {
	series := maps.Clone(c.series)
	last := ""
	for _, s := range slices.SortedFunc(maps.Keys(series), byMetric) {
		if metric := metricOf(s); metric != last {
			fmt.Fprintf(w, "# TYPE %s counter\n", metric)
			last = metric
		}
		fmt.Fprintf(w, "%s %d\n", s, series[s].Load())
	}
}
