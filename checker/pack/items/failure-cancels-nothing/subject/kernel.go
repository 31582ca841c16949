package kernel

import (
	"context"
	"errors"
	"sync"
	"testing"
)

type group struct {
	wg     sync.WaitGroup
	once   sync.Once
	err    error
	cancel context.CancelFunc
}

// run keeps the first error, and lets the others wait for the context.
func (g *group) run(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	})
}

func (g *group) wait() error {
	g.wg.Wait()
	g.cancel()
	return g.err
}

func Kernel(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	g := &group{cancel: cancel}
	g.run(func() error { return errors.New("the webhook is gone") })
	g.run(func() error { <-ctx.Done(); return nil })
	if g.wait() == nil {
		t.Error("the error is lost")
	}
}
