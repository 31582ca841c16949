//go:build ignore

// Mistake: Close sets its flag and wakes nobody: an idle Run notices at the next Add, which never comes.
// Killed by: idle-pump-sleeps
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
}
