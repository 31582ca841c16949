//go:build ignore

// Mistake: A caller that the shutdown releases adds its item itself if its moment has passed. That Add may be slow.
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
	moment := time.Now().Add(duration)
	select {
	case d.incoming <- delayed[T]{item, moment}:
	case <-d.stop:
		if !moment.After(time.Now()) {
			d.Add(item)
		}
	}
}
