package kernel

import (
	"context"
	"errors"
	"testing"
	"time"
)

func connect(ctx context.Context, dial func() error) {
	go func() {
		for dial() != nil {
			select {
			case <-time.After(2 * time.Millisecond):
			case <-ctx.Done():
				return
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
