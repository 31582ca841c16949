package kernel

import (
	"sync"
	"testing"
	"time"
)

// A timer that nobody stops has no goroutine until it fires, and the program ends earlier.
func Kernel(t testing.TB) {
	var once sync.Once
	expire := time.AfterFunc(time.Hour, func() { once.Do(func() {}) })
	time.AfterFunc(time.Hour, func() { expire.Stop() })
	select {
	case <-time.After(time.Hour):
		t.Error("an hour went by")
	case <-time.After(time.Millisecond):
	}
}
