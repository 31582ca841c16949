//go:build ignore

// Mistake: closed is read before the lock is taken: it is only looked at, and never becomes false again.
// Killed by: many-senders-one-handler
// Verdict: data-race

package backpressure

func (p *Pump[T]) push(v T) bool {
	if p.closed {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.pending.push(v)
	return true
}
