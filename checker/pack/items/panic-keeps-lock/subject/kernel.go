package kernel

import (
	"sync"
	"testing"
)

type registry struct {
	mu    sync.Mutex
	plugs map[string]func() int
}

// call unlocks after the plugin has returned. One that panics never does.
func (r *registry) call(name string) int {
	r.mu.Lock()
	n := r.plugs[name]()
	r.mu.Unlock()
	return n
}

// serve answers -1 where the plugin panics, as a server recovers for each request.
func serve(r *registry, name string) (n int) {
	defer func() {
		if recover() != nil {
			n = -1
		}
	}()
	return r.call(name)
}

func Kernel(t testing.TB) {
	r := &registry{plugs: map[string]func() int{
		"good": func() int { return 1 },
		"bad":  func() int { panic("no such volume") },
	}}
	if serve(r, "bad") != -1 || serve(r, "good") != 1 {
		t.Error("a wrong answer")
	}
}
