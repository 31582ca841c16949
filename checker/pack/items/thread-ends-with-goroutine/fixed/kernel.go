package kernel

import (
	"runtime"
	"sync"
	"testing"
)

// A goroutine that ends with its thread locked takes the thread with it, as it should
// where it has changed the thread's namespace.
func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	entered := make(chan int, 4)
	for i := range cap(entered) {
		wg.Go(func() {
			runtime.LockOSThread()
			entered <- i
		})
	}
	wg.Wait()
	if n := len(entered); n != 4 {
		t.Errorf("%d of 4 have entered", n)
	}
}
