package kernel

import (
	"testing"
	"time"
)

// Nobody waits for the slow result any more, and it has room to be put down.
func Kernel(t testing.TB) {
	result := make(chan int, 1)
	go func() {
		time.Sleep(50 * time.Millisecond)
		result <- 1
	}()
	select {
	case <-result:
	case <-time.After(time.Millisecond):
	}
}
