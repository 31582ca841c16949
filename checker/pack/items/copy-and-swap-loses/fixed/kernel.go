package kernel

import (
	"maps"
	"sync"
	"sync/atomic"
	"testing"
)

type routes struct {
	mu  sync.Mutex   // for those that write
	all atomic.Value // of map[int]string
}

func (r *routes) add(port int, to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(r.all.Load().(map[int]string))
	next[port] = to
	r.all.Store(next)
}

func Kernel(t testing.TB) {
	r := &routes{}
	r.all.Store(map[int]string{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				r.add(i*20+j, "web")
			}
		})
	}
	wg.Wait()
	if n := len(r.all.Load().(map[int]string)); n != 160 {
		t.Errorf("%d of 160 routes are there", n)
	}
}
