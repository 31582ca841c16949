package kernel

import (
	"context"
	"testing"
	"time"
)

// The channel has no room for a result that nobody waits for any more.
func fetch(ctx context.Context, get func() int) (int, error) {
	result := make(chan int)
	go func() { result <- get() }()
	select {
	case n := <-result:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := fetch(ctx, func() int { time.Sleep(20 * time.Millisecond); return 1 })
	if err == nil {
		t.Error("the fetch was slow and did not say so")
	}
}
