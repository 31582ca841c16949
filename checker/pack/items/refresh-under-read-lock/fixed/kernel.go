package kernel

import (
	"sync"
	"testing"
)

type endpoints struct {
	mu      sync.RWMutex
	addr    string
	refresh chan chan struct{}
}

func (e *endpoints) refresher() {
	for done := range e.refresh {
		e.mu.Lock()
		e.addr = "10.0.0.1"
		e.mu.Unlock()
		close(done)
	}
}

func (e *endpoints) get() string {
	e.mu.RLock()
	addr := e.addr
	e.mu.RUnlock()
	if addr == "" {
		done := make(chan struct{})
		e.refresh <- done
		<-done
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.addr
}

func Kernel(t testing.TB) {
	e := &endpoints{refresh: make(chan chan struct{})}
	go e.refresher()
	if e.get() == "" {
		t.Error("no address after a refresh")
	}
	close(e.refresh)
}
