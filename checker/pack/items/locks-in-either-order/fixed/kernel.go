package kernel

import (
	"runtime"
	"sync"
	"testing"
)

type account struct {
	mu  sync.Mutex
	sum int
}

// move takes two locks in either order. Who does not get the second one gives back the first.
func move(from, to *account, n int) {
	for {
		from.mu.Lock()
		if to.mu.TryLock() {
			break
		}
		from.mu.Unlock()
		runtime.Gosched()
	}
	defer from.mu.Unlock()
	defer to.mu.Unlock()
	from.sum -= n
	to.sum += n
}

func Kernel(t testing.TB) {
	a, b := &account{sum: 50}, &account{sum: 50}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			move(a, b, 1)
		}
	})
	wg.Go(func() {
		for range 50 {
			move(b, a, 1)
		}
	})
	wg.Wait()
	if a.sum != 50 || b.sum != 50 {
		t.Errorf("the sums are %d and %d", a.sum, b.sum)
	}
}
