package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type server struct {
	mu      sync.Mutex
	closed  bool
	wg      sync.WaitGroup
	serving atomic.Int64
}

func (s *server) accept() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.wg.Add(1)
	s.serving.Add(1)
	go func() {
		defer s.wg.Done()
		s.serving.Add(-1)
	}()
}

func (s *server) shutdown() int64 {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.wg.Wait()
	return s.serving.Load()
}

func Kernel(t testing.TB) {
	s := &server{}
	var acceptor sync.WaitGroup
	acceptor.Go(func() {
		for range 20 {
			s.accept()
		}
	})
	if n := s.shutdown(); n != 0 {
		t.Errorf("%d requests are served after the shutdown", n)
	}
	acceptor.Wait()
	s.wg.Wait()
}
