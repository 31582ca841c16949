//go:build ignore

// Mistake: ShutDown closes the channel that AddAfter sends on, as if closing were the receiver's business
//   (the shape of kubernetes#108080).
// Killed by: shutdown-releases-producers
// Verdict: panic

package delayingqueue

func (d *DelayingQueue[T]) end() {
	d.stopOnce.Do(func() { close(d.incoming); close(d.stop) })
}
