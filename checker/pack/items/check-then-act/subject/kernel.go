package kernel

import (
	"sync"
	"testing"
)

type store struct {
	mu     sync.Mutex
	values map[string]int
}

func (s *store) get(key string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[key]
	return v, ok
}

func (s *store) set(key string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = v
}

// increment is two steps, and another one may come between them.
func (s *store) increment(key string) {
	v, _ := s.get(key)
	s.set(key, v+1)
}

func Kernel(t testing.TB) {
	s := &store{values: map[string]int{}}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for range 20 {
				s.increment("a")
			}
		})
	}
	wg.Wait()
	if n, _ := s.get("a"); n != 400 {
		t.Errorf("400 increments made %d", n)
	}
}
