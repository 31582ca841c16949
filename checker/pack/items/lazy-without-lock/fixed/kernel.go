package kernel

import (
	"sync"
	"testing"
)

type config struct{ name string }

type loader struct {
	mu  sync.Mutex
	cfg *config
}

func (l *loader) get() *config {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cfg == nil {
		l.cfg = &config{name: "default"}
	}
	return l.cfg
}

func Kernel(t testing.TB) {
	l := &loader{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if l.get().name != "default" {
				t.Error("a half-made config")
			}
		})
	}
	wg.Wait()
}
