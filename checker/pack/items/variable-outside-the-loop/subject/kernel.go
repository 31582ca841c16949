package kernel

import (
	"sync"
	"testing"
)

// All goroutines have the same name, and the loop goes on to write it.
func drain(nodes []string) map[string]bool {
	var (
		wg      sync.WaitGroup
		mu      sync.Mutex
		drained = map[string]bool{}
		name    string
	)
	for _, name = range nodes {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			drained[name] = true
		})
	}
	wg.Wait()
	return drained
}

func Kernel(t testing.TB) {
	if n := len(drain([]string{"a", "b", "c", "d"})); n != 4 {
		t.Errorf("%d of 4 nodes are drained", n)
	}
}
