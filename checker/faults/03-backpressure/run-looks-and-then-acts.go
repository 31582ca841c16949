//go:build ignore

// Mistake: Run looks whether it is the first under one lock and says so under the next: two Runs are both the
//   first.
// Killed by: runs-once
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) start() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !p.started
	p.mu.Unlock()
	p.mu.Lock()
	p.started = true
	return first
}
