package kernel

import (
	"sync"
	"testing"
)

type server struct {
	stop chan struct{}
	once sync.Once
}

func (s *server) Close() {
	s.once.Do(func() { close(s.stop) })
}

func Kernel(t testing.TB) {
	s := &server{stop: make(chan struct{})}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(s.Close)
	}
	wg.Wait()
}
