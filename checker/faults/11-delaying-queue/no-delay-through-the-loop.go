//go:build ignore

// Mistake: Every item takes the same way, even one that need not wait: it is added soon after AddAfter has
//   returned. Upstream's own tests pass.
// Killed by: no-delay-adds-at-once
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}
