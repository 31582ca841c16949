package kernel

import (
	"sync/atomic"
	"testing"
)

// Each worker may be the one that closes the channel, and only the last one does.
func Kernel(t testing.TB) {
	const workers = 8
	var left atomic.Int64
	left.Store(workers)
	out := make(chan int)
	for i := range workers {
		go func() {
			out <- i
			if left.Add(-1) == 0 {
				close(out)
			}
		}()
	}
	sum := 0
	for n := range out {
		sum += n
	}
	if sum != 28 {
		t.Errorf("the sum is %d", sum)
	}
}
