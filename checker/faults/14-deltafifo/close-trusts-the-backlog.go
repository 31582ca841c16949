//go:build ignore

// Mistake: Close wakes nobody while something is pending: the Pops that take it are expected to see the rest.
// Killed by: close-ends-the-queue
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if len(f.queue) == 0 {
		f.arrived.Broadcast()
	}
}
