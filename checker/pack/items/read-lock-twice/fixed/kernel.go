package kernel

import (
	"sync"
	"testing"
)

type table struct {
	mu   sync.RWMutex
	rows []int
}

func (t *table) len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.rows)
}

func (t *table) mean() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	sum := 0
	for _, n := range t.rows {
		sum += n
	}
	return sum / len(t.rows)
}

func (t *table) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, n)
}

func Kernel(t testing.TB) {
	tab := &table{rows: []int{1}}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			tab.add(1)
		}
	})
	wg.Go(func() {
		for range 50 {
			if tab.mean() != 1 {
				t.Error("a wrong mean")
			}
		}
	})
	wg.Wait()
}
