package kernel

import (
	"sync"
	"testing"
)

type stats struct {
	mu   sync.RWMutex
	hits map[string]int
}

// hit writes, and takes the lock for readers.
func (s *stats) hit(name string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
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
