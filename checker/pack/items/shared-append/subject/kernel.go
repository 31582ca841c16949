package kernel

import (
	"sync"
	"testing"
)

// All goroutines append to one slice.
func squares(ns []int) []int {
	var out []int
	var wg sync.WaitGroup
	for _, n := range ns {
		wg.Go(func() {
			out = append(out, n*n)
		})
	}
	wg.Wait()
	return out
}

func Kernel(t testing.TB) {
	if n := len(squares([]int{1, 2, 3, 4})); n != 4 {
		t.Errorf("%d squares of 4 numbers", n)
	}
}
