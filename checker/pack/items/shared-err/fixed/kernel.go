package kernel

import (
	"errors"
	"sync"
	"testing"
)

func both(a, b func() error) error {
	var errA, errB error
	var wg sync.WaitGroup
	wg.Go(func() { errA = a() })
	wg.Go(func() { errB = b() })
	wg.Wait()
	return errors.Join(errA, errB)
}

func Kernel(t testing.TB) {
	ok := func() error { return nil }
	if both(ok, ok) != nil {
		t.Error("an error from nowhere")
	}
}
