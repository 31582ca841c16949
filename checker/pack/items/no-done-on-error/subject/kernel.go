package kernel

import (
	"errors"
	"sync"
	"testing"
)

// A worker that fails returns before it has called Done.
func run(jobs []func() error) (failed int) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			if err := job(); err != nil {
				mu.Lock()
				failed++
				mu.Unlock()
				return
			}
			wg.Done()
		}()
	}
	wg.Wait()
	return failed
}

func Kernel(t testing.TB) {
	ok, bad := func() error { return nil }, func() error { return errors.New("no") }
	if n := run([]func() error{ok, bad, ok}); n != 1 {
		t.Errorf("%d jobs failed", n)
	}
}
