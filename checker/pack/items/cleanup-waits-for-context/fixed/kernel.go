package kernel

import (
	"testing"
	"time"
)

// The goroutine ends with the test's context, which is cancelled before the cleanup runs.
func Kernel(t testing.TB) {
	ctx, done := t.Context(), make(chan struct{})
	ticks := make(chan int)
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case ticks <- n:
				time.Sleep(time.Millisecond)
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() { <-done })
	if n := <-ticks; n != 0 {
		t.Errorf("tick %d came first", n)
	}
}
