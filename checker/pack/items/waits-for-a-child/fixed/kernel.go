package kernel

import (
	"os/exec"
	"sync"
	"testing"
)

// Nothing of this program runs, and no timer is set: another process has to end.
// The engine gives a program no PATH.
func Kernel(t testing.TB) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			if err := exec.Command("/bin/sleep", "1").Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
