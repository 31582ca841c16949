package kernel

import (
	"sync/atomic"
	"testing"
	"time"
)

type flusher struct {
	flushes atomic.Int64
	stop    chan struct{}
}

// Stop stops nothing: the loop has no other way out than the program's end.
func (f *flusher) start() {
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			f.flushes.Add(1)
		}
	}()
}

func (f *flusher) Stop() { close(f.stop) }

func Kernel(t testing.TB) {
	f := &flusher{stop: make(chan struct{})}
	f.start()
	f.Stop()
}
