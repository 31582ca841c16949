//go:build ignore

// Mistake: A call that has blocked for a minute leaves a goroutine to wait in its place, each of them.
// Killed by: one-entry-one-timer
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
	in := delayed[T]{item, time.Now().Add(duration)}
	hand := func() {
		select {
		case d.incoming <- in:
		case <-d.stop:
		}
	}
	patience := time.NewTimer(time.Minute)
	defer patience.Stop()
	select {
	case d.incoming <- in:
	case <-d.stop:
	case <-patience.C:
		go hand()
	}
}
