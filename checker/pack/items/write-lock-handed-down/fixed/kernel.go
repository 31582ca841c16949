package kernel

import (
	"sync"
	"testing"
)

type tree struct {
	mu   sync.RWMutex
	size map[string]int
}

// grow and growLocked write to the map in different functions, under one lock.
func (tr *tree) grow(path string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.growLocked(path)
}

func (tr *tree) growLocked(path string) {
	tr.size[path]++
	if path != "" {
		tr.growLocked(path[:len(path)-1])
	}
}

func Kernel(t testing.TB) {
	tr := &tree{size: map[string]int{}}
	var wg sync.WaitGroup
	for _, path := range []string{"abc", "abd", "x"} {
		wg.Go(func() { tr.grow(path) })
	}
	wg.Wait()
	tr.mu.RLock()
	defer tr.mu.RUnlock()
	if tr.size[""] != 3 || tr.size["ab"] != 2 {
		t.Errorf("the sizes are %v", tr.size)
	}
}
