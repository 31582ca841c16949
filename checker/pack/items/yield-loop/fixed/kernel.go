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

func (q *queue) work() {
	for !q.closed.Load() {
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
