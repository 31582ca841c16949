package kernel

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// The poller sleeps and looks again, for ever: it never looks at the context.
func poll(ctx context.Context, check func()) {
	go func() {
		for {
			check()
			time.Sleep(20 * time.Millisecond)
		}
	}()
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	var n atomic.Int64
	poll(ctx, func() { n.Add(1) })
	cancel()
}
