package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type stats struct{ requests int64 }

func (s *stats) hit() { atomic.AddInt64(&s.requests, 1) }

// report reads the counter as if nobody wrote it.
func (s *stats) report() int64 { return s.requests }

func Kernel(t testing.TB) {
	s := &stats{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(s.hit)
	}
	if n := s.report(); n > 4 {
		t.Errorf("%d requests of 4", n)
	}
	wg.Wait()
}
