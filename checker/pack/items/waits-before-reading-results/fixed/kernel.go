package kernel

import (
	"sync"
	"testing"
)

func lengths(words []string) (sum int) {
	var wg sync.WaitGroup
	results := make(chan int)
	for _, w := range words {
		wg.Go(func() { results <- len(w) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	for n := range results {
		sum += n
	}
	return sum
}

func Kernel(t testing.TB) {
	if n := lengths([]string{"pod", "node", "lease"}); n != 12 {
		t.Errorf("the words have %d letters", n)
	}
}
