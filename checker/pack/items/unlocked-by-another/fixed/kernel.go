package kernel

import (
	"sync"
	"testing"
)

// A mutex may be unlocked by another goroutine than the one that locked it.
func Kernel(t testing.TB) {
	var mu sync.Mutex
	mu.Lock()
	n := 1
	go func() {
		n++
		mu.Unlock()
	}()
	mu.Lock()
	if n != 2 {
		t.Error("the unlock did not order the two")
	}
	mu.Unlock()
}
