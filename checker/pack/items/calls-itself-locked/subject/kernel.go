package kernel

import (
	"sync"
	"testing"
)

type registry struct {
	mu    sync.Mutex
	names map[string]int
}

func (r *registry) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.names)
}

// add calls size with the mutex held, and size wants it too.
func (r *registry) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name] = r.size()
}

func Kernel(t testing.TB) {
	r := &registry{names: map[string]int{}}
	r.add("a")
	if r.size() != 1 {
		t.Error("the name is not there")
	}
}
