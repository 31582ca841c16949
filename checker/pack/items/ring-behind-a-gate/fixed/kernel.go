package kernel

import (
	"runtime"
	"sync"
	"testing"
)

// Two orders of two locks, and never both at once: the gate comes first.
func Kernel(t testing.TB) {
	var gate, a, b sync.Mutex
	n := 0
	both := func(first, second *sync.Mutex) {
		gate.Lock()
		defer gate.Unlock()
		first.Lock()
		defer first.Unlock()
		runtime.Gosched()
		second.Lock()
		defer second.Unlock()
		n++
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { both(&a, &b) })
		wg.Go(func() { both(&b, &a) })
	}
	wg.Wait()
	if n != 40 {
		t.Errorf("%d of 40", n)
	}
}
