package kernel

import (
	"context"
	"testing"
)

func numbers(ctx context.Context, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			select {
			case out <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for i := range numbers(ctx, 100) {
		if i == 3 {
			return
		}
	}
	t.Error("no match")
}
