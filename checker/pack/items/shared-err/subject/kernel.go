package kernel

import (
	"sync"
	"testing"
)

// The goroutines assign to the err of the function around them.
func both(a, b func() error) error {
	var err error
	var wg sync.WaitGroup
	wg.Go(func() { err = a() })
	wg.Go(func() { err = b() })
	wg.Wait()
	return err
}

func Kernel(t testing.TB) {
	ok := func() error { return nil }
	if both(ok, ok) != nil {
		t.Error("an error from nowhere")
	}
}
