//go:build ignore

// Mistake: ShutDownWithDrain shuts everything down, and forgets to wait.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDown()
}
