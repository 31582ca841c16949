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

func (f *flusher) start() {
	go func() {
		for {
			select {
			case <-time.Tick(10 * time.Millisecond):
				f.flushes.Add(1)
			case <-f.stop:
				return
			}
		}
	}()
}

func (f *flusher) Stop() { close(f.stop) }

func Kernel(t testing.TB) {
	f := &flusher{stop: make(chan struct{})}
	f.start()
	f.Stop()
}
