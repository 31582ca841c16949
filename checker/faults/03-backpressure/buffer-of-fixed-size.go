//go:build ignore

// Mistake: A large limit is taken for no limit: at that many values Add waits for room.
// Killed by: add-never-waits
// Verdict: deadlock

package backpressure

func (p *Pump[T]) Add(v T) bool {
	for p.Len() >= 10000 {
		p.wake <- struct{}{}
	}
	if !p.push(v) {
		return false
	}
	TrySend(p.wake, struct{}{})
	return true
}
