package kernel

import (
	"runtime"
	"sync"
	"testing"
)

type feed struct {
	mu     sync.Mutex
	events chan int
	sent   int
}

// publish sends with the mutex held, and the reader wants the mutex before it receives again.
func (f *feed) publish(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent++
	f.events <- n
}

func (f *feed) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent
}

func Kernel(t testing.TB) {
	f := &feed{events: make(chan int)}
	go func() {
		for i := range 5 {
			f.publish(i)
		}
	}()
	for range 5 {
		<-f.events
		runtime.Gosched()
		if f.count() == 0 {
			t.Error("an event came that was not counted")
		}
	}
}
