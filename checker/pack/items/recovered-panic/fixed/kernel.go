package kernel

import "testing"

// The worker recovers, and says so.
func Kernel(t testing.TB) {
	failed := make(chan any)
	go func() {
		defer func() { failed <- recover() }()
		var m map[string]int
		m["a"] = 1
	}()
	if <-failed == nil {
		t.Error("no panic")
	}
}
