package kernel

import (
	"sync"
	"testing"
)

type cache struct {
	mu     sync.RWMutex
	values map[string]int
}

func (c *cache) get(key string) int {
	c.mu.RLock()
	v, ok := c.values[key]
	c.mu.RUnlock()
	if ok {
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
