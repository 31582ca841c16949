//go:build ignore

// Mistake: Run does not remember that it was called: two loops share the values between them.
// Killed by: runs-once
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) start() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !p.started
	return first
}
