//go:build ignore

// Mistake: Add puts the value into the buffer and wakes nobody: it is handled when something else wakes Run.
// Killed by: idle-pump-sleeps
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) Add(v T) bool {
	if !p.push(v) {
		return false
	}
	return true
}
