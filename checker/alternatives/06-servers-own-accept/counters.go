package servers

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Counters counts.
type Counters struct {
	series sync.Map // string to *atomic.Int64
}

// Inc adds one to a series.
func (c *Counters) Inc(series string) {
	v, ok := c.series.Load(series)
	if !ok {
		v, _ = c.series.LoadOrStore(series, new(atomic.Int64))
	}
	v.(*atomic.Int64).Add(1)
}

// writeTo writes straight to the client, with no lock that anybody could wait for.
func (c *Counters) writeTo(w io.Writer) {
	metrics := map[string][]string{}
	c.series.Range(func(k, _ any) bool {
		name, _, _ := strings.Cut(k.(string), "{")
		metrics[name] = append(metrics[name], k.(string))
		return true
	})
	out := bufio.NewWriterSize(w, 64)
	defer out.Flush()
	for name, all := range metrics {
		_, _ = out.WriteString("# TYPE " + name + " counter\n")
		for _, series := range all {
			v, _ := c.series.Load(series)
			n := v.(*atomic.Int64).Load()
			if n == 0 {
				continue // between LoadOrStore and Add
			}
			_, _ = out.WriteString(series + " " + strconv.FormatInt(n, 10) + "\n")
		}
	}
}
