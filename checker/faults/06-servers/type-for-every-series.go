//go:build ignore

// Mistake: The TYPE line is written before each series, not once for each metric.
// Killed by: counts-answers
// Verdict: wrong-answer

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
	c.mu.RUnlock()
	last := ""
	for _, s := range slices.SortedFunc(maps.Keys(series), byMetric) {
		if metric := metricOf(s); metric+last != "" {
			fmt.Fprintf(w, "# TYPE %s counter\n", metric)
			last = metric
		}
		fmt.Fprintf(w, "%s %d\n", s, series[s].Load())
	}
}
