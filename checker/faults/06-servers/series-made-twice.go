//go:build ignore

// Mistake: The series is not looked for again under the write lock: two goroutines make it, and what the
//   first counted is lost.
// Killed by: counts-are-exact
// Verdict: wrong-answer

package servers

import "sync/atomic"

func (c *Counters) add(series string) *atomic.Uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.series == nil {
		c.series = make(map[string]*atomic.Uint64)
	}
	n := new(atomic.Uint64)
	c.series[series] = n
	return n
}
