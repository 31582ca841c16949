package kernel

import (
	"sync"
	"testing"
)

// The goroutine that closes the channel is one of those it waits for.
func collect(sources []int) (sum int) {
	var wg sync.WaitGroup
	out := make(chan int)
	for _, n := range sources {
		wg.Go(func() { out <- n })
	}
	wg.Go(func() {
		wg.Wait()
		close(out)
	})
	for n := range out {
		sum += n
	}
	return sum
}

func Kernel(t testing.TB) {
	if n := collect([]int{1, 2, 3}); n != 6 {
		t.Errorf("1+2+3 made %d", n)
	}
}
