package kernel

import (
	"sync"
	"testing"
	"time"
)

type call struct {
	done  chan struct{}
	value int
}

type calls struct {
	mu     sync.Mutex
	flying map[string]*call
}

// get leaves the lock before it waits, and reads the value without it: the close orders that.
func (c *calls) get(key string, fetch func() int) int {
	c.mu.Lock()
	if other := c.flying[key]; other != nil {
		c.mu.Unlock()
		<-other.done
		return other.value
	}
	mine := &call{done: make(chan struct{})}
	c.flying[key] = mine
	c.mu.Unlock()

	mine.value = fetch()
	close(mine.done)

	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flying, key)
	return mine.value
}

func Kernel(t testing.TB) {
	c := &calls{flying: map[string]*call{}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if n := c.get("nodes", func() int { time.Sleep(time.Millisecond); return 3 }); n != 3 {
				t.Errorf("%d nodes", n)
			}
		})
	}
	wg.Wait()
}
