package kernel

import "testing"

// A nil channel switches its case off.
func Kernel(t testing.TB) {
	a, b := make(chan int), make(chan int)
	go func() { a <- 1; close(a) }()
	go func() { b <- 2; close(b) }()
	sum := 0
	for a != nil || b != nil {
		select {
		case n, ok := <-a:
			if sum += n; !ok {
				a = nil
			}
		case n, ok := <-b:
			if sum += n; !ok {
				b = nil
			}
		}
	}
	if sum != 3 {
		t.Errorf("sum %d", sum)
	}
}
