package kernel

import (
	"sync"
	"testing"
	"time"
)

// A timer's callback wakes all that wait.
func Kernel(t testing.TB) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	open := false
	time.AfterFunc(2500*time.Millisecond, func() {
		mu.Lock()
		defer mu.Unlock()
		open = true
		cond.Broadcast()
	})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !open {
				cond.Wait()
			}
		})
	}
	wg.Wait()
}
