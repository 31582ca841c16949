package kernel

import (
	"sync"
	"testing"
)

type gate struct {
	mu   sync.Mutex
	cond *sync.Cond
	open bool
}

// Only one of those that wait is woken.
func (g *gate) unlock() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
	g.cond.Signal()
}

func (g *gate) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.open {
		g.cond.Wait()
	}
}

func Kernel(t testing.TB) {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(g.pass)
	}
	g.unlock()
	wg.Wait()
}
