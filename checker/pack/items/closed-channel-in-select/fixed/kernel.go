package kernel

import "testing"

func feed(events ...int) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, e := range events {
			c <- e
		}
	}()
	return c
}

func merge(a, b <-chan int) (sum int) {
	for a != nil || b != nil {
		select {
		case n, ok := <-a:
			if !ok {
				a = nil
			}
			sum += n
		case n, ok := <-b:
			if !ok {
				b = nil
			}
			sum += n
		}
	}
	return sum
}

func Kernel(t testing.TB) {
	if sum := merge(feed(), feed(1, 1, 1, 1, 1, 1, 1, 1)); sum != 8 {
		t.Errorf("8 events make %d", sum)
	}
}
