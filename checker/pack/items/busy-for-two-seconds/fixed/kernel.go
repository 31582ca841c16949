package kernel

import (
	"testing"
	"time"
)

// One goroutine computes, and the other waits for it without a timer.
func Kernel(t testing.TB) {
	result := make(chan uint64)
	go func() {
		h := uint64(1)
		for start := time.Now(); time.Since(start) < 2*time.Second; {
			for i := range uint64(1000) {
				h = h*31 + i
			}
		}
		result <- h | 1
	}()
	if <-result == 0 {
		t.Error("an odd number is zero")
	}
}
