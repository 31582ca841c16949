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

// send waits for the slowest watcher, and one of them has stopped to read.
func (b *broadcaster) send(event string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.watchers {
		w <- event
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
