package kernel

import (
	"errors"
	"sync"
	"testing"
)

func run(jobs []func() error) (failed int) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := job(); err != nil {
				mu.Lock()
				failed++
				mu.Unlock()
			}
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
