package kernel

import (
	"sync"
	"testing"
)

type pool struct {
	mu     sync.Mutex
	wg     sync.WaitGroup
	active int
	stop   chan struct{}
}

func (p *pool) start(workers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range workers {
		p.active++
		p.wg.Go(func() {
			<-p.stop
			p.mu.Lock()
			defer p.mu.Unlock()
			p.active--
		})
	}
}

func (p *pool) close() int {
	close(p.stop)
	p.wg.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.active
}

func Kernel(t testing.TB) {
	p := &pool{stop: make(chan struct{})}
	p.start(3)
	if n := p.close(); n != 0 {
		t.Errorf("%d workers are active after close", n)
	}
}
