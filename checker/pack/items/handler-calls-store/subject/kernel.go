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

// set calls the handlers with the mutex held, and a handler reads the store.
func (s *store) set(key string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key] = v
	for _, h := range s.handlers {
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
