package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type group struct {
	wg    sync.WaitGroup
	limit chan struct{}
}

func (g *group) run(f func()) {
	g.limit <- struct{}{}
	g.wg.Go(func() {
		defer func() { <-g.limit }()
		f()
	})
}

func Kernel(t testing.TB) {
	g := &group{limit: make(chan struct{}, 2)}
	var deleted atomic.Int64
	for range 4 {
		g.run(func() {
			deleted.Add(1)
		})
	}
	g.wg.Wait()
	if n := deleted.Load(); n != 4 {
		t.Errorf("%d of 4 pods were deleted", n)
	}
}
