package kernel

import (
	"sync/atomic"
	"testing"
	"time"
)

// It looks four thousand times in vain, and then the timer has fired.
func Kernel(t testing.TB) {
	var fired atomic.Bool
	timer := time.AfterFunc(4*time.Second, func() { fired.Store(true) })
	defer timer.Stop()
	for !fired.Load() {
		time.Sleep(time.Millisecond)
	}
}
