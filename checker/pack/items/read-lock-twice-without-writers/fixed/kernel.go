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

// last takes the read lock twice. The only writer is done before the readers begin.
func (t *table) last() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows[t.len()-1]
}

func Kernel(t testing.TB) {
	tab := &table{}
	tab.mu.Lock()
	tab.rows = append(tab.rows, 1, 2, 3)
	tab.mu.Unlock()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if tab.last() != 3 {
				t.Error("a wrong row")
			}
		})
	}
	wg.Wait()
}
