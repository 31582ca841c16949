package kernel

import "testing"

// No WaitGroup: the caller knows how many results there are, and takes each of them.
func Kernel(t testing.TB) {
	results := make(chan error)
	steps := []func() error{func() error { return nil }, func() error { return nil }, func() error { return nil }}
	for _, step := range steps {
		go func() { results <- step() }()
	}
	for range steps {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}
