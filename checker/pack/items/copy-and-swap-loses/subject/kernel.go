package kernel

import (
	"maps"
	"sync"
	"sync/atomic"
	"testing"
)

type routes struct {
	all atomic.Value // of map[int]string
}

// add copies the map and stores the copy, and another add may come between the two.
func (r *routes) add(port int, to string) {
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
