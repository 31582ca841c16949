package kernel

import (
	"runtime"
	"testing"
	"time"
)

type cache struct{ items map[string]int }

// newCache starts a janitor that knows the items only. The collector stops it when the
// cache itself is garbage, so nobody has to close the cache.
func newCache() *cache {
	c := &cache{items: map[string]int{}}
	stop := make(chan struct{})
	runtime.AddCleanup(c, func(stop chan struct{}) { close(stop) }, stop)
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return c
}

func Kernel(t testing.TB) {
	c := newCache()
	c.items["a"]++
	if c.items["a"] != 1 {
		t.Error("the item is not there")
	}
}
