package kernel

import (
	"sync"
	"testing"
)

type server struct {
	stop chan struct{}
	once sync.Once
}

// Two callers of Close close the channel twice.
func (s *server) Close() {
	select {
	case <-s.stop:
	default:
		close(s.stop)
	}
}

func Kernel(t testing.TB) {
	s := &server{stop: make(chan struct{})}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(s.Close)
	}
	wg.Wait()
}
