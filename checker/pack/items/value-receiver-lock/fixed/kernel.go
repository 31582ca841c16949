package kernel

import (
	"sync"
	"testing"
)

type counter struct {
	mu sync.Mutex
	n  *int
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.n++
}

func Kernel(t testing.TB) {
	c := counter{n: new(int)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { c.add() })
	}
	wg.Wait()
}
