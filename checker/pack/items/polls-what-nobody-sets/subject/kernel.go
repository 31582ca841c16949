package kernel

import (
	"errors"
	"sync"
	"testing"
	"time"
)

// drain is a queue's: it waits until all items are done.
type drain struct {
	mu   sync.Mutex
	busy int
}

func (d *drain) start() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy++
}

func (d *drain) done() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy--
}

func (d *drain) wait() {
	for {
		d.mu.Lock()
		busy := d.busy
		d.mu.Unlock()
		if busy == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// The worker that meets an error leaves without done, and wait looks again and again.
func Kernel(t testing.TB) {
	var d drain
	for i := range 3 {
		d.start()
		go func() {
			if err := work(i); err != nil {
				return
			}
			d.done()
		}()
	}
	d.wait()
}

func work(i int) error {
	if i == 1 {
		return errors.New("conflict")
	}
	return nil
}
