package kernel

import (
	"maps"
	"sync"
	"sync/atomic"
	"testing"
)

// routes is read without a lock: who writes stores a new map, and no map is written to once it is stored.
type routes struct {
	mu  sync.Mutex // orders writers
	now atomic.Pointer[map[string]int]
}

func (r *routes) put(path string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(*r.now.Load())
	next[path] = n
	r.now.Store(&next)
}

func Kernel(t testing.TB) {
	r := &routes{}
	r.now.Store(&map[string]int{})
	var wg sync.WaitGroup
	for i, path := range []string{"/a", "/b", "/c"} {
		wg.Go(func() { r.put(path, i) })
		wg.Go(func() {
			for path, n := range *r.now.Load() {
				if n < 0 {
					t.Errorf("%s is %d", path, n)
				}
			}
		})
	}
	wg.Wait()
	if len(*r.now.Load()) != 3 {
		t.Errorf("%d routes", len(*r.now.Load()))
	}
}
