package kernel

import (
	"sync"
	"testing"
)

type broadcaster struct {
	mu       sync.Mutex
	watchers []chan string
}

func (b *broadcaster) watch() <-chan string {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := make(chan string, 2)
	b.watchers = append(b.watchers, w)
	return w
}

func (b *broadcaster) send(event string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.watchers {
		select {
		case w <- event:
		default: // a watcher that is too slow misses events
		}
	}
}

func Kernel(t testing.TB) {
	b := &broadcaster{}
	left, kept := b.watch(), b.watch()
	for range 5 {
		b.send("MODIFIED")
		<-kept
	}
	if <-left != "MODIFIED" {
		t.Error("a wrong event")
	}
}
