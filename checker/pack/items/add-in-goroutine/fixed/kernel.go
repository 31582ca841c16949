package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	var n atomic.Int64
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	if got := n.Load(); got != 4 {
		t.Errorf("%d of 4 goroutines had run", got)
	}
}
