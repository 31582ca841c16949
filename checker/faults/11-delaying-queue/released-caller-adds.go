//go:build ignore

// Mistake: A caller that the shutdown releases adds its item itself, so that it is not lost, and long before its moment.
// Killed by: shutdown-releases-producers
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
		d.Add(item)
	}
}
