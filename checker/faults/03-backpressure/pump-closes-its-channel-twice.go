//go:build ignore

// Mistake: Close looks whether the channel that wakes Run is closed, and closes it in a second step: two Closes both find it open.
// Killed by: closed-pump-takes-no-more
// Verdict: panic

package backpressure

func (p *Pump[T]) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	select {
	case _, open := <-p.wake:
		if !open {
			return
		}
	default:
	}
	close(p.wake)
}

func (p *Pump[T]) Add(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.pending.push(v)
	TrySend(p.wake, struct{}{})
	return true
}
