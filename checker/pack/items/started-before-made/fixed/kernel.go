package kernel

import "testing"

type tracker struct {
	pods   map[string]bool
	events chan string
	done   chan struct{}
}

func (tr *tracker) run() {
	defer close(tr.done)
	for name := range tr.events {
		tr.pods[name] = true
	}
}

func newTracker() *tracker {
	tr := &tracker{events: make(chan string, 1), done: make(chan struct{})}
	tr.events <- "web-0" // the list comes before the watch
	tr.pods = map[string]bool{}
	go tr.run()
	return tr
}

func Kernel(t testing.TB) {
	tr := newTracker()
	close(tr.events)
	<-tr.done
	if !tr.pods["web-0"] {
		t.Error("web-0 is not tracked")
	}
}
