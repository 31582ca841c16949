package kernel

import (
	"sync"
	"testing"
)

type slot struct {
	mu   sync.Mutex
	cond *sync.Cond
	full bool
}

// put and take wait at one Cond, and a Signal may wake one of the wrong kind.
func (s *slot) put() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.full {
		s.cond.Wait()
	}
	s.full = true
	s.cond.Signal()
}

func (s *slot) take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.full {
		s.cond.Wait()
	}
	s.full = false
	s.cond.Signal()
}

func Kernel(t testing.TB) {
	s := &slot{}
	s.cond = sync.NewCond(&s.mu)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				s.put()
			}
		})
		wg.Go(func() {
			for range 50 {
				s.take()
			}
		})
	}
	wg.Wait()
}
