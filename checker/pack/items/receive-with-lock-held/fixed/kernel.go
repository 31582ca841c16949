package kernel

import (
	"sync"
	"testing"
)

type sequence struct {
	mu   sync.Mutex
	next <-chan int
	used []int
}

// take waits for a number with the mutex held, and the one who sends it needs no mutex.
func (s *sequence) take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = append(s.used, <-s.next)
}

func Kernel(t testing.TB) {
	numbers := make(chan int)
	s := &sequence{next: numbers}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(s.take)
	}
	for i := range 10 {
		numbers <- i
	}
	wg.Wait()
	for i, n := range s.used {
		if i != n {
			t.Errorf("number %d is %d", i, n)
		}
	}
}
