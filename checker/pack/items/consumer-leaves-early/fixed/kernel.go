package kernel

import (
	"context"
	"testing"
)

// numbers sends for ever, and ends with its context even in the middle of a send.
func numbers(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := 0; ; n++ {
			select {
			case out <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Kernel leaves the loop while the producer is about to send the next number.
func Kernel(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sum := 0
	for n := range numbers(ctx) {
		if sum += n; n == 10 {
			break
		}
	}
	if sum != 55 {
		t.Errorf("the sum is %d", sum)
	}
}
