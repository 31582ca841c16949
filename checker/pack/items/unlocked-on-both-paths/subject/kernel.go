package kernel

import (
	"sync"
	"testing"
)

type lease struct {
	mu     sync.Mutex
	holder string
}

// acquire unlocks where the lease is taken, and the deferred Unlock comes after it.
func (l *lease) acquire(who string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holder != "" {
		l.mu.Unlock()
		return false
	}
	l.holder = who
	return true
}

func Kernel(t testing.TB) {
	l := &lease{}
	if !l.acquire("a") || l.acquire("b") {
		t.Error("the lease is not with its first holder")
	}
}
