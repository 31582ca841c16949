package kernel

import (
	"sync"
	"testing"
)

type expectations struct {
	mu sync.Mutex
	of map[string]int
}

func (e *expectations) expect(key string, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.of[key] += n
}

// forget leaves no map for the next expectation.
func (e *expectations) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.of = nil
}

func Kernel(t testing.TB) {
	e := &expectations{of: map[string]int{}}
	for _, key := range []string{"default/web", "default/db"} {
		e.expect(key, 3)
		e.forget()
	}
	if len(e.of) != 0 {
		t.Error("an expectation is left")
	}
}
