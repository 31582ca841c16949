package kernel

import (
	"runtime"
	"sync/atomic"
	"testing"
)

type queue struct {
	closed atomic.Bool
	items  chan int
}

// The worker spins while the queue is empty, and closing does not end that.
func (q *queue) work() {
	for {
		select {
		case <-q.items:
		default:
			runtime.Gosched()
		}
	}
}

func Kernel(t testing.TB) {
	q := &queue{items: make(chan int, 1)}
	go q.work()
	q.items <- 1
	q.closed.Store(true)
}
