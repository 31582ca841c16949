//go:build ignore

// Mistake: AddAfter looks at stop and then sends. It looks right until the channel is full and the loop has
//   ended. Upstream's own tests pass.
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
	d.incoming <- delayed[T]{item, time.Now().Add(duration)}
}
