package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

// The first look needs no lock, because the pointer is atomic.
type lazy struct {
	mu sync.Mutex
	v  atomic.Pointer[string]
}

func (l *lazy) get() string {
	if v := l.v.Load(); v != nil {
		return *v
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.v.Load(); v != nil {
		return *v
	}
	made := "made"
	l.v.Store(&made)
	return made
}

func Kernel(t testing.TB) {
	l := &lazy{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if l.get() != "made" {
				t.Error("a half-made value")
			}
		})
	}
	wg.Wait()
}
