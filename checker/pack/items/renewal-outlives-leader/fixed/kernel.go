package kernel

import (
	"context"
	"testing"
	"time"
)

type elector struct {
	renewed chan int
	held    bool
}

func (e *elector) renew(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		select {
		case e.renewed <- n:
		case <-ctx.Done():
		}
	}
}

func (e *elector) lead(ctx context.Context, terms int, stopped func()) {
	ctx, release := context.WithCancel(ctx)
	defer release()
	e.held = true
	go e.renew(ctx)
	for n := range e.renewed {
		if n == terms {
			break
		}
	}
	stopped()
	e.held = false
}

func Kernel(t testing.TB) {
	e := &elector{renewed: make(chan int)}
	e.lead(context.Background(), 3, func() { time.Sleep(time.Millisecond) })
	if e.held {
		t.Error("the lease was not released")
	}
}
