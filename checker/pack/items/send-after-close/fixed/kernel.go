package kernel

import (
	"sync"
	"testing"
)

type hub struct {
	mu     sync.Mutex
	events chan int
	closed bool
}

func (h *hub) send(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	select {
	case h.events <- n:
	default:
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	close(h.events)
}

func Kernel(t testing.TB) {
	h := &hub{events: make(chan int, 4)}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 50 {
			h.send(i)
		}
	})
	wg.Go(h.close)
	wg.Wait()
}
