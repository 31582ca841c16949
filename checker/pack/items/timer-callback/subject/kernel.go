package kernel

import (
	"testing"
	"time"
)

// The callback runs in a goroutine of its own.
func Kernel(t testing.TB) {
	fired := false
	done := make(chan struct{}, 1)
	timer := time.AfterFunc(2*time.Millisecond, func() {
		fired = true
		done <- struct{}{}
	})
	time.Sleep(5 * time.Millisecond)
	if !timer.Stop() && !fired {
		t.Error("it was neither stopped nor has it fired")
	}
}
