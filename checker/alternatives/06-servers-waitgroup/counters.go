package servers

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Counters counts.
type Counters struct {
	mu     sync.Mutex
	counts map[string]uint64
}

// Inc adds one to a series.
func (c *Counters) Inc(series string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = make(map[string]uint64)
	}
	c.counts[series]++
}

type sample struct {
	metric, series string
	count          uint64
}

// snapshot copies the counts under the lock.
func (c *Counters) snapshot() []sample {
	c.mu.Lock()
	defer c.mu.Unlock()
	samples := make([]sample, 0, len(c.counts))
	for series, count := range c.counts {
		metric, _, _ := strings.Cut(series, "{")
		samples = append(samples, sample{metric, series, count})
	}
	return samples
}

// exposition renders the counts in the text format, metric by metric.
func (c *Counters) exposition() []byte {
	samples := c.snapshot()
	// By metric first: '_' sorts before '{', so sorting by series alone would tear
	// a metric apart.
	slices.SortFunc(samples, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.metric, b.metric), cmp.Compare(a.series, b.series))
	})
	var out bytes.Buffer
	for i, s := range samples {
		if i == 0 || s.metric != samples[i-1].metric {
			fmt.Fprintf(&out, "# TYPE %s counter\n", s.metric)
		}
		fmt.Fprintf(&out, "%s %d\n", s.series, s.count)
	}
	return out.Bytes()
}
