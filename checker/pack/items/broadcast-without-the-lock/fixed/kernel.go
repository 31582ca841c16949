package kernel

import (
	"sync"
	"testing"
)

// open changes the state under the lock and wakes the waiters after it: who has not yet begun to wait
// sees the new state and does not wait.
type gate struct {
	mu   sync.Mutex
	cond *sync.Cond
	open bool
}

func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.open {
		g.cond.Wait()
	}
}

func (g *gate) unlatch() {
	g.mu.Lock()
	g.open = true
	g.mu.Unlock()
	g.cond.Broadcast()
}

func Kernel(t testing.TB) {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(g.wait)
	}
	g.unlatch()
	wg.Wait()
}
