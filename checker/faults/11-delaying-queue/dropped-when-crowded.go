//go:build ignore

// Mistake: AddAfter must not block a handler, so what finds no room in the channel is dropped.
// Killed by: counts-from-the-call
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
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	default:
	}
}
