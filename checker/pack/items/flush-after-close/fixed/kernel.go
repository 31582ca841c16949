package kernel

import (
	"sync"
	"testing"
	"time"
)

type batcher struct {
	mu     sync.Mutex
	closed bool
	out    chan int
	begun  chan struct{}
	synced chan struct{}
	done   chan struct{}
}

func (b *batcher) flush() {
	defer close(b.done)
	close(b.begun)
	<-b.synced
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.out <- 1
	}
}

func (b *batcher) close(timer *time.Timer) {
	timer.Stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	close(b.out)
}

func Kernel(t testing.TB) {
	b := &batcher{out: make(chan int, 1), begun: make(chan struct{}), synced: make(chan struct{}), done: make(chan struct{})}
	timer := time.AfterFunc(time.Millisecond, b.flush)
	<-b.begun
	b.close(timer)
	close(b.synced)
	<-b.done
	if _, ok := <-b.out; ok {
		t.Error("a batch came after close")
	}
}
