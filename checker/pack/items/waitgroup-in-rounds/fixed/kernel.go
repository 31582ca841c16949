package kernel

import (
	"sync"
	"testing"
)

// A WaitGroup may be used again when all Waits have returned.
func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	n := make([]int, 4)
	for range 5 {
		for i := range n {
			wg.Go(func() { n[i]++ })
		}
		wg.Wait()
	}
	if n[3] != 5 {
		t.Errorf("%d rounds of 5", n[3])
	}
}
