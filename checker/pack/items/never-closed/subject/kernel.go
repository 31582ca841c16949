package kernel

import (
	"sync/atomic"
	"testing"
)

// The consumers range over a channel that nobody closes.
func Kernel(t testing.TB) {
	jobs := make(chan int)
	var sum atomic.Int64
	for range 3 {
		go func() {
			for n := range jobs {
				sum.Add(int64(n))
			}
		}()
	}
	for i := range 10 {
		jobs <- i
	}
}
