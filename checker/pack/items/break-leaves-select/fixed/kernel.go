package kernel

import "testing"

type agent struct {
	stop   chan struct{}
	events chan string
	last   string
}

func (a *agent) run() {
	for {
		select {
		case <-a.stop:
			return
		case a.last = <-a.events:
		}
	}
}

func Kernel(t testing.TB) {
	a := &agent{stop: make(chan struct{}), events: make(chan string)}
	go a.run()
	a.events <- "ADDED"
	close(a.stop)
}
