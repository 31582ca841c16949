//go:build ignore

// Mistake: Add refuses values when very many are pending, to protect the memory: they are lost.
// Killed by: add-never-waits
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) push(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.pending.n >= 100_000 {
		return false
	}
	p.pending.push(v)
	return true
}
