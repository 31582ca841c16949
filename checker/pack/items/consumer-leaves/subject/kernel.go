package kernel

import (
	"context"
	"testing"
)

// The consumer stops at the first match, and the producer goes on sending.
func numbers(ctx context.Context, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i
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
