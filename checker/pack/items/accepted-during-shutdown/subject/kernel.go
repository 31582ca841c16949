package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type server struct {
	wg      sync.WaitGroup
	serving atomic.Int64
}

// accept adds to the group while shutdown may wait for it with nothing to wait for.
func (s *server) accept() {
	s.wg.Add(1)
	s.serving.Add(1)
	go func() {
		defer s.wg.Done()
		s.serving.Add(-1)
	}()
}

func (s *server) shutdown() int64 {
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
