package kernel

import (
	"sync"
	"testing"
)

type nodes struct {
	mu    sync.RWMutex
	ready []bool
}

func (n *nodes) isReady(i int) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.ready[i]
}

func (n *nodes) set(i int, ready bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ready[i] = ready
}

func (n *nodes) allReady() bool {
	n.mu.RLock()
	nodes := len(n.ready)
	n.mu.RUnlock()
	var wg sync.WaitGroup
	answers := make([]bool, nodes)
	for i := range answers {
		wg.Go(func() { answers[i] = n.isReady(i) })
	}
	wg.Wait()
	for _, ok := range answers {
		if !ok {
			return false
		}
	}
	return true
}

func Kernel(t testing.TB) {
	n := &nodes{ready: []bool{true, true, true, true}}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			n.set(0, true)
		}
	})
	for range 50 {
		if !n.allReady() {
			t.Error("all nodes are ready, and one was not")
		}
	}
	wg.Wait()
}
