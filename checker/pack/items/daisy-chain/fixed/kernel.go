package kernel

import "testing"

// All goroutines of the chain wait until one number is put in at its end.
func Kernel(t testing.TB) {
	first := make(chan int)
	left := first
	for range 300 {
		right := make(chan int)
		go func(left chan<- int, right <-chan int) { left <- 1 + <-right }(left, right)
		left = right
	}
	go func() { left <- 0 }()
	if n := <-first; n != 300 {
		t.Errorf("%d of 300 have passed it on", n)
	}
}
