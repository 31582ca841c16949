package kernel

import (
	"testing"
	"time"
)

func reset(timer *time.Timer, d time.Duration) {
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
