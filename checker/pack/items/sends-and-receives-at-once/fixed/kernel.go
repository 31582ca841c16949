package kernel

import (
	"sync"
	"testing"
)

// exchange gives one value and takes one, in either order. Two goroutines that both send first
// would wait for each other.
func exchange(give chan<- int, take <-chan int, value int) (got int) {
	for range 2 {
		select {
		case give <- value:
			give = nil
		case got = <-take:
			take = nil
		}
	}
	return got
}

func Kernel(t testing.TB) {
	left, right := make(chan int), make(chan int)
	var wg sync.WaitGroup
	var a, b int
	wg.Go(func() { a = exchange(left, right, 1) })
	wg.Go(func() { b = exchange(right, left, 2) })
	wg.Wait()
	if a != 2 || b != 1 {
		t.Errorf("they got %d and %d", a, b)
	}
}
