//go:build ignore

// Mistake: The moment is reckoned in nanoseconds since 1970. They fill an int64 by 2262, and a delay that means
//   "never" overflows to a moment that is long past.
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
	moment := time.Unix(0, time.Now().UnixNano()+int64(duration))
	select {
	case d.incoming <- delayed[T]{item, moment}:
	case <-d.stop:
	}
}
