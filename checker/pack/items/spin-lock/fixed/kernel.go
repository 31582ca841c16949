package kernel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

type spinLock struct{ held atomic.Bool }

func (l *spinLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *spinLock) Unlock() { l.held.Store(false) }

// The counter has no other lock, and each lock comes after the unlock before it.
func Kernel(t testing.TB) {
	var l spinLock
	var wg sync.WaitGroup
	n := 0
	for range 8 {
		wg.Go(func() {
			for range 50 {
				l.Lock()
				n++
				l.Unlock()
			}
		})
	}
	wg.Wait()
	if n != 400 {
		t.Errorf("%d of 400", n)
	}
}
