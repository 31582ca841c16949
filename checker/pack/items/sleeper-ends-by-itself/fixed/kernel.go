package kernel

import (
	"testing"
	"time"
)

// The goroutine sleeps a few times, and ends.
func Kernel(t testing.TB) {
	go func() {
		for range 5 {
			time.Sleep(500 * time.Millisecond)
		}
	}()
}
