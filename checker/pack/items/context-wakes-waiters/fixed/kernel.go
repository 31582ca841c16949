package kernel

import (
	"context"
	"sync"
	"testing"
	"time"
)

type room struct {
	mu   sync.Mutex
	cond *sync.Cond
	free bool
}

// enter waits for a Broadcast, and the end of the context is one.
func (r *room) enter(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.cond.Broadcast()
	})
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.free {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.cond.Wait()
	}
	return nil
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	r := &room{}
	r.cond = sync.NewCond(&r.mu)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if r.enter(ctx) == nil {
				t.Error("the room was never free")
			}
		})
	}
	wg.Wait()
}
