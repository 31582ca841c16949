package kernel

import (
	"iter"
	"testing"
)

// Kernel takes two of three values. stop ends the coroutine, which is in the middle of its loop.
func Kernel(t testing.TB) {
	cleaned := false
	next, stop := iter.Pull(func(yield func(int) bool) {
		defer func() { cleaned = true }()
		for n := range 3 {
			if !yield(n) {
				return
			}
		}
	})
	next()
	if n, ok := next(); n != 1 || !ok {
		t.Errorf("the second value is %d, %v", n, ok)
	}
	stop()
	if !cleaned {
		t.Error("the coroutine has not ended")
	}
}
