//go:build ignore

// Mistake: An AddAfter that finds the queue shut down waits for room, in case somebody still receives.
// Killed by: shutdown-drops-what-waits
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-time.After(time.Minute): // somebody may receive again
	}
}
