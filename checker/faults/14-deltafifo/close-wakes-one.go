//go:build ignore

// Mistake: Close signals: of several goroutines in Pop one goes home.
// Killed by: close-ends-the-queue
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.arrived.Signal()
}
