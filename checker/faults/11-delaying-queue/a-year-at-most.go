//go:build ignore

// Mistake: A delay is a year at most, so that nothing overflows.
// Killed by: adds-when-ready
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(min(duration, 365*24*time.Hour))}:
	case <-d.stop:
	}
}
