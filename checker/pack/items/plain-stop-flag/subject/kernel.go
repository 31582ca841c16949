package kernel

import (
	"runtime"
	"testing"
)

type prober struct {
	stopped bool
	probes  int
	done    chan struct{}
}

// Nothing orders the write of the flag and the reads of the loop.
func (p *prober) run() {
	defer close(p.done)
	for !p.stopped {
		p.probes++
		runtime.Gosched()
	}
}

func Kernel(t testing.TB) {
	p := &prober{done: make(chan struct{})}
	go p.run()
	p.stopped = true
	<-p.done
	if p.probes < 0 {
		t.Error("less than no probes")
	}
}
