//go:build ignore

// Mistake: A series is part of the format: a percent sign in the value of a label spoils its line.
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
		if metric := metricOf(s); metric != last {
			fmt.Fprintf(w, "# TYPE %s counter\n", metric)
			last = metric
		}
		fmt.Fprintf(w, s+" %d\n", series[s].Load())
	}
}
