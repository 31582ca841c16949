package kernel

import (
	"errors"
	"testing"
)

type worker struct {
	stop chan struct{}
	done chan struct{}
}

func start(step func() error) *worker {
	w := &worker{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for {
			select {
			case <-w.stop:
				return
			default:
			}
			if step() != nil {
				return
			}
		}
	}()
	return w
}

// Stop hands the request to the worker, which may have ended by itself.
func (w *worker) Stop() {
	w.stop <- struct{}{}
	<-w.done
}

func Kernel(t testing.TB) {
	left, refused := 3, make(chan struct{})
	w := start(func() error {
		if left--; left > 0 {
			return nil
		}
		close(refused)
		return errors.New("connection refused")
	})
	<-refused
	w.Stop()
	if left < 0 {
		t.Error("the worker went on after its failure")
	}
}
