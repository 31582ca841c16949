package kernel

import (
	"context"
	"testing"
	"time"
)

// watch starts its loop with a context of its own, which nothing cancels.
func watch(ctx context.Context, seen chan<- int) {
	go loop(context.Background(), seen)
}

func loop(ctx context.Context, seen chan<- int) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			select {
			case seen <- n:
			default:
			}
		}
	}
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	seen := make(chan int, 1)
	watch(ctx, seen)
	if n := <-seen; n != 0 {
		t.Errorf("the first tick was number %d", n)
	}
}
