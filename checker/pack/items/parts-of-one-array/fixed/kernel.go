package kernel

import (
	"sync"
	"testing"
)

// Each goroutine appends to its part of one array. The capacity of a part ends where the next one begins.
func Kernel(t testing.TB) {
	const parts, each = 4, 16
	all := make([]int, parts*each)
	var wg sync.WaitGroup
	for p := range parts {
		part := all[p*each : p*each : (p+1)*each]
		wg.Go(func() {
			for n := range each {
				part = append(part, p*each+n)
			}
		})
	}
	wg.Wait()
	for i, n := range all {
		if n != i {
			t.Fatalf("element %d is %d", i, n)
		}
	}
}
