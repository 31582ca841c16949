package kernel

import (
	"sync"
	"testing"
)

func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	work := func(fail bool) {
		defer wg.Done()
		if fail {
			return
		}
	}
	wg.Add(2)
	work(true)
	work(false)
	wg.Wait()
}
