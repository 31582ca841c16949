package kernel

import (
	"sync"
	"testing"
)

// What is written before the close is seen after the receive.
func Kernel(t testing.TB) {
	var config map[string]int
	ready := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			<-ready
			if config["a"] != 1 {
				t.Error("not seen")
			}
		})
	}
	config = map[string]int{"a": 1}
	close(ready)
	wg.Wait()
}
