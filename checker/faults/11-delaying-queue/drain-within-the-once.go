//go:build ignore

// Mistake: Both shutdowns are written into one Once, which keeps ShutDown waiting until the drain has
//   returned.
// Killed by: shutdown-aborts-a-drain
// Verdict: deadlock
// Without: DelayingQueue.end

package delayingqueue

func (d *DelayingQueue[T]) ShutDown() {
	d.stopOnce.Do(func() {
		d.Queue.ShutDown()
		close(d.stop)
	})
}

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.stopOnce.Do(func() {
		close(d.stop)
		d.Queue.ShutDownWithDrain()
	})
}
