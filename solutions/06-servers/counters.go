package servers

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Counters counts. Each of its series begins at zero when it is first counted, is not
// shown before that, and only ever grows. The zero value is empty and ready for use; a
// Counters must not be copied after its first use. All methods may be called by any number
// of goroutines at once, also while a metrics server shows the counts.
type Counters struct {
	mu     sync.RWMutex // guards the map, not the numbers in it: they are atomic
	series map[string]*atomic.Uint64
}

// Inc adds one to a series, such as http_requests_total{code="200"}.
//
// Nearly every call finds its series there, so the common path shares the lock
// and adds atomically. A plain ++ under a read lock would be a race: readers
// exclude writers, not each other.
func (c *Counters) Inc(series string) {
	c.mu.RLock()
	n := c.series[series]
	c.mu.RUnlock()
	if n == nil {
		n = c.add(series)
	}
	n.Add(1)
}

// add makes the series, unless another goroutine has made it since we looked: two
// numbers for one series would lose what is counted in the first.
func (c *Counters) add(series string) *atomic.Uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.series[series]; n != nil {
		return n
	}
	if c.series == nil {
		c.series = make(map[string]*atomic.Uint64)
	}
	n := new(atomic.Uint64)
	c.series[series] = n
	return n
}

// write shows all series in the text exposition format. It copies the map under
// the lock and writes after: a client that reads slowly must not delay anyone who counts.
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
		fmt.Fprintf(w, "%s %d\n", s, series[s].Load())
	}
}

// byMetric keeps the series of one metric together. Sorting the series alone would
// not: '_' sorts before '{', so that jobs, jobs_failed and jobs{kind="a"} come in this order.
func byMetric(a, b string) int {
	if c := strings.Compare(metricOf(a), metricOf(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// metricOf is the name of the series without its labels.
func metricOf(series string) string {
	name, _, _ := strings.Cut(series, "{")
	return name
}
