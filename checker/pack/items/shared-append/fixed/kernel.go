package kernel

import (
	"sync"
	"testing"
)

func squares(ns []int) []int {
	out := make([]int, len(ns))
	var wg sync.WaitGroup
	for i, n := range ns {
		wg.Go(func() {
			out[i] = n * n
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
