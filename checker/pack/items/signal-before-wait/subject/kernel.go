package kernel

import (
	"sync"
	"testing"
)

// ready waits without a condition: a Signal that came before is lost.
type latch struct {
	mu   sync.Mutex
	cond *sync.Cond
	open bool
}

func (l *latch) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = true
	l.cond.Signal()
}

func (l *latch) ready() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cond.Wait()
}

func Kernel(t testing.TB) {
	l := &latch{}
	l.cond = sync.NewCond(&l.mu)
	go l.release()
	l.ready()
}
