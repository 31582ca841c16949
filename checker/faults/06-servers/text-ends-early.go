//go:build ignore

// Mistake: An answer of more than 64 KiB is too much for a scrape, and the rest of the series is left out.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

func (c *Counters) write(w io.Writer) {
	c.mu.RLock()
	series := maps.Clone(c.series)
	c.mu.RUnlock()
	var text strings.Builder
	last := ""
	for _, s := range slices.SortedFunc(maps.Keys(series), byMetric) {
		if text.Len() > 64<<10 {
			break
		}
		if metric := metricOf(s); metric != last {
			fmt.Fprintf(&text, "# TYPE %s counter\n", metric)
			last = metric
		}
		fmt.Fprintf(&text, "%s %d\n", s, series[s].Load())
	}
	io.WriteString(w, text.String())
}
