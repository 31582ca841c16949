//go:build ignore

// Mistake: Close makes HasSynced true, so that nobody waits for a list that will not be popped.
// Killed by: close-ends-the-queue
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.begun, f.initial = true, 0
	f.arrived.Broadcast()
}
