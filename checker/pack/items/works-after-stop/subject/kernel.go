package kernel

import "testing"

type loop struct {
	jobs chan int
	stop chan struct{}
	ran  int
}

// run chooses at random where there is a job and the stop.
func (l *loop) run() {
	for {
		select {
		case <-l.stop:
			return
		case <-l.jobs:
			l.ran++
		}
	}
}

func Kernel(t testing.TB) {
	l := &loop{jobs: make(chan int, 16), stop: make(chan struct{})}
	for i := range cap(l.jobs) {
		l.jobs <- i
	}
	close(l.stop)
	l.run()
	if l.ran > 0 {
		t.Errorf("%d jobs ran after the stop", l.ran)
	}
}
