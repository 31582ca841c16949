package kernel

import "testing"

type worker struct {
	jobs chan int
	done chan struct{}
}

// The constructor forgets one of the two channels.
func newWorker() *worker {
	return &worker{done: make(chan struct{})}
}

func (w *worker) run() {
	defer close(w.done)
	for range w.jobs {
	}
}

func Kernel(t testing.TB) {
	w := newWorker()
	go w.run()
	w.jobs <- 1
	close(w.jobs)
	<-w.done
}
