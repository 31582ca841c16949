//go:build ignore

// Mistake: Close closes the channel at once: a sender that waits in it panics (kubernetes#108080).
// Killed by: close-while-others-send
// Verdict: data-race (the detector sees the close beside a send before the panic comes)

package backpressure

func (b *Bounded[T]) Close() {
	if !b.shut() {
		return
	}
	close(b.values)
}
