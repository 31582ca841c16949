package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

// visit counts its children itself, while Kernel waits already: its own count keeps the group
// above zero.
func visit(wg *sync.WaitGroup, seen *atomic.Int64, depth int) {
	defer wg.Done()
	seen.Add(1)
	if depth == 0 {
		return
	}
	wg.Add(2)
	go visit(wg, seen, depth-1)
	go visit(wg, seen, depth-1)
}

func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	var seen atomic.Int64
	wg.Add(1)
	go visit(&wg, &seen, 5)
	wg.Wait()
	if n := seen.Load(); n != 63 {
		t.Errorf("%d nodes were visited", n)
	}
}
