//go:build ignore

// Mistake: A delay counts from 2 ns on: the comparison with 0 is off by one.
// Killed by: in-order-of-moments
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 1 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}
