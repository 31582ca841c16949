package kernel

import (
	"testing"
	"time"
)

// The tick was received already when reset wants to drain it.
func reset(timer *time.Timer, d time.Duration) {
	if !timer.Stop() {
		<-timer.C
	}
	timer.Reset(d)
}

func Kernel(t testing.TB) {
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	for range 2 {
		<-timer.C
		reset(timer, time.Millisecond)
	}
	<-timer.C
}
