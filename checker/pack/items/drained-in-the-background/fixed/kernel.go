package kernel

import "testing"

func lines(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i
		}
	}()
	return out
}

// first wants one line, and leaves a goroutine that reads the others until there are none.
func first(in <-chan int) int {
	n := <-in
	go func() {
		for range in {
		}
	}()
	return n
}

func Kernel(t testing.TB) {
	if n := first(lines(1000)); n != 0 {
		t.Errorf("line %d came first", n)
	}
}
