//go:build ignore

// Mistake: A queue is drained once: who comes second, or after ShutDown, has nothing left to do and returns.
// Killed by: drain-is-the-queues
// Verdict: wrong-answer

package delayingqueue

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	first := false
	d.stopOnce.Do(func() {
		close(d.stop)
		first = true
	})
	if first {
		d.Queue.ShutDownWithDrain()
	}
}
