package kernel

import (
	"runtime"
	"sync/atomic"
	"testing"
)

type prober struct {
	stopped atomic.Bool
	probes  int
	done    chan struct{}
}

func (p *prober) run() {
	defer close(p.done)
	for !p.stopped.Load() {
		p.probes++
		runtime.Gosched()
	}
}

func Kernel(t testing.TB) {
	p := &prober{done: make(chan struct{})}
	go p.run()
	p.stopped.Store(true)
	<-p.done
	if p.probes < 0 {
		t.Error("less than no probes")
	}
}
