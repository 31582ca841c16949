package kernel

import (
	"sync"
	"testing"
)

type store struct {
	mu       sync.Mutex
	items    map[string]int
	handlers []func(key string)
}

func (s *store) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[key]
}

func (s *store) set(key string, v int) {
	s.mu.Lock()
	s.items[key] = v
	handlers := s.handlers
	s.mu.Unlock()
	for _, h := range handlers {
		h(key)
	}
}

func Kernel(t testing.TB) {
	s := &store{items: map[string]int{}}
	seen := 0
	s.handlers = append(s.handlers, func(key string) { seen = s.get(key) })
	s.set("replicas", 3)
	if seen != 3 {
		t.Errorf("the handler saw %d", seen)
	}
}
