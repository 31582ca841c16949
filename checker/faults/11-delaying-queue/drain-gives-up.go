//go:build ignore

// Mistake: The drain gives up after five minutes: a worker that takes longer is cut off.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		d.Queue.ShutDownWithDrain()
	}()
	select {
	case <-drained:
	case <-time.After(5 * time.Minute):
	}
}
