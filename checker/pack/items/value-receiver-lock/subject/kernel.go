package kernel

import (
	"sync"
	"testing"
)

type counter struct {
	mu sync.Mutex
	n  *int
}

// The method has a copy of the mutex: each call locks its own.
func (c counter) add() {
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
