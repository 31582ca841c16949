package kernel

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// The loop ends when the other goroutine has stored the flag.
func Kernel(t testing.TB) {
	var ready atomic.Bool
	value := 0
	go func() {
		time.Sleep(10 * time.Millisecond)
		value = 7
		ready.Store(true)
	}()
	for !ready.Load() {
		runtime.Gosched()
	}
	if value != 7 {
		t.Error("the flag was seen before the value")
	}
}
