package kernel

import (
	"sync"
	"testing"
)

type stats struct {
	mu   sync.RWMutex
	hits map[string]int
}

func (s *stats) hit(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits[name]++
}

func Kernel(t testing.TB) {
	s := &stats{hits: map[string]int{}}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { s.hit("a") })
	}
	wg.Wait()
}
