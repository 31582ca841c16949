package kernel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

type informers struct {
	mu      sync.RWMutex
	of      map[string]*int
	started atomic.Int64
}

func (f *informers) start() *int {
	f.started.Add(1)
	return new(int)
}

// get does not look again when it has the write lock: the informer may be there now.
func (f *informers) get(kind string) *int {
	f.mu.RLock()
	inf := f.of[kind]
	f.mu.RUnlock()
	if inf != nil {
		return inf
	}
	runtime.Gosched()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[kind] = f.start()
	return f.of[kind]
}

func Kernel(t testing.TB) {
	f := &informers{of: map[string]*int{}}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() { f.get("pods") })
	}
	wg.Wait()
	if n := f.started.Load(); n != 1 {
		t.Errorf("%d informers for pods", n)
	}
}
