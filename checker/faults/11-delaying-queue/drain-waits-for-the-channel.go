//go:build ignore

// Mistake: The drain first lets go through what AddAfter has sent: while an Add is slow the queue underneath is not drained.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	for n := 0; n < 100 && len(d.incoming) > 0; n++ {
		time.Sleep(10 * time.Millisecond)
	}
	d.end()
	d.Queue.ShutDownWithDrain()
}
