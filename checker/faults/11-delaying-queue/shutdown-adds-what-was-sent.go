//go:build ignore

// Mistake: ShutDown adds what AddAfter has sent and the loop has not received: nothing shall be lost.
// Killed by: shutdown-drops-what-waits
// Verdict: wrong-answer

package delayingqueue

func (d *DelayingQueue[T]) ShutDown() {
	for range len(d.incoming) {
		select {
		case in := <-d.incoming:
			d.Queue.Add(in.item)
		default:
		}
	}
	d.Queue.ShutDown()
	d.end()
}
