//go:build ignore

// Mistake: The drain is the work, and the loop is cleaned up afterwards. Meanwhile it goes on adding what waits, and
//   an AddAfter that blocks stays blocked.
// Killed by: shutdown-drops-what-waits
// Verdict: wrong-answer

package delayingqueue

func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.Queue.ShutDownWithDrain()
	d.end()
}
