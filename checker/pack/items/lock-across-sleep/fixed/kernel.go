package kernel

import (
	"sync"
	"testing"
	"time"
)

// Poor style and no deadlock: the others wait until the sleeper is done.
func Kernel(t testing.TB) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			time.Sleep(250 * time.Millisecond)
		})
	}
	wg.Wait()
}
