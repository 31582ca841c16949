package kernel

import (
	"context"
	"errors"
	"testing"
	"time"
)

// The caller gives up, and the goroutine goes on trying with a short timer.
func connect(ctx context.Context, dial func() error) {
	go func() {
		for dial() != nil {
			select {
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	<-ctx.Done()
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	connect(ctx, func() error { return errors.New("refused") })
}
