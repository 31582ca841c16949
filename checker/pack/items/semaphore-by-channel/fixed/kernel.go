package kernel

import (
	"sync"
	"testing"
)

// A buffered channel of one is a lock: the receive comes before the next send completes.
func Kernel(t testing.TB) {
	sem := make(chan struct{}, 1)
	n := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			sem <- struct{}{}
			n++
			<-sem
		})
	}
	wg.Wait()
	if n != 8 {
		t.Errorf("counted %d", n)
	}
}
