package kernel

import (
	"runtime"
	"sync"
	"testing"
)

// A goroutine that leaves by Goexit still runs what it has deferred.
func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	left := 0
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			left++
			runtime.Goexit()
		}()
	}
	wg.Wait()
	if left != 4 {
		t.Errorf("%d of 4 have left", left)
	}
}
