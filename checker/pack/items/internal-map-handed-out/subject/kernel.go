package kernel

import (
	"sync"
	"testing"
)

type index struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (i *index) add(key string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys[key] = true
}

// The caller reads the map after the lock is gone.
func (i *index) all() map[string]bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.keys
}

func Kernel(t testing.TB) {
	i := &index{keys: map[string]bool{}}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, key := range []string{"a", "b", "c"} {
			i.add(key)
		}
	})
	for range 3 {
		for key := range i.all() {
			if key == "" {
				t.Error("an empty key")
			}
		}
	}
	wg.Wait()
}
