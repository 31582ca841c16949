package kernel

import (
	"sync"
	"testing"
)

type cache struct {
	mu     sync.RWMutex
	values map[string]int
}

// get asks for the write lock while it still holds the read lock.
func (c *cache) get(key string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if v, ok := c.values[key]; ok {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = len(key)
	return c.values[key]
}

func Kernel(t testing.TB) {
	c := &cache{values: map[string]int{}}
	if c.get("pods") != 4 {
		t.Error("a wrong value")
	}
}
