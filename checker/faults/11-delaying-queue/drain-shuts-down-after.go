//go:build ignore

// Mistake: A drain that is over shuts the queue underneath down, to be sure. It ends the drain of another caller.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
	d.Queue.ShutDown()
}
