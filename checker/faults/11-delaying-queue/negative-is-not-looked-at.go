//go:build ignore

// Mistake: A negative delay is handled first, and the look at the shutdown comes after that.
// Killed by: shutdown-drops-what-waits
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if duration < 0 {
		d.Add(item)
		return
	}
	if d.ShuttingDown() {
		return
	}
	if duration == 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}
