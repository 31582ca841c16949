package kernel

import (
	"sync"
	"testing"
)

type counters struct {
	mu sync.Mutex
	of map[string]int
}

// The deferred Unlock runs at the end of the function, not of the round.
func (c *counters) observe(names []string) {
	for _, name := range names {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.of[name]++
	}
}

func Kernel(t testing.TB) {
	c := &counters{of: map[string]int{}}
	c.observe([]string{"get", "list", "get"})
	if c.of["get"] != 2 {
		t.Error("a request was not counted")
	}
}
