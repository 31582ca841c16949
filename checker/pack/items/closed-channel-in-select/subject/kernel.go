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

// merge ends after two receives from a closed channel, which may both be from the same.
func merge(a, b <-chan int) (sum int) {
	for closed := 0; closed < 2; {
		select {
		case n, ok := <-a:
			if !ok {
				closed++
			}
			sum += n
		case n, ok := <-b:
			if !ok {
				closed++
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
