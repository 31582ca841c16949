package kernel

import (
	"sync"
	"testing"
)

// The failing path calls Done itself and then meets the deferred one.
func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	work := func(fail bool) {
		defer wg.Done()
		if fail {
			wg.Done()
			return
		}
	}
	wg.Add(2)
	work(true)
	work(false)
	wg.Wait()
}
