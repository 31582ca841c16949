package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Whoever does not get the lock does something else.
func Kernel(t testing.TB) {
	var mu sync.Mutex
	var missed atomic.Int64
	n := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if !mu.TryLock() {
				missed.Add(1)
				return
			}
			defer mu.Unlock()
			n++
		})
	}
	wg.Wait()
	if n+int(missed.Load()) != 8 {
		t.Error("a goroutine did neither")
	}
}
