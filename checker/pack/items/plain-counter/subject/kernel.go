package kernel

import (
	"sync"
	"testing"
)

// Two goroutines add to one variable.
func Kernel(t testing.TB) {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			n++
		})
	}
	wg.Wait()
	if n != 2 {
		t.Errorf("counted %d", n)
	}
}
