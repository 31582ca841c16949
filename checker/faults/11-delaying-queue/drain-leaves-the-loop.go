//go:build ignore

// Mistake: ShutDownWithDrain is that of the queue underneath, which knows of no loop. client-go has a
//   heartbeat of ten seconds to notice; without one the loop stays.
// Killed by: shutdown-ends-the-loop
// Verdict: goroutine-leak

package delayingqueue

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.Queue.ShutDownWithDrain()
}
