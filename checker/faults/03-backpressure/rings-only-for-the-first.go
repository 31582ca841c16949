//go:build ignore

// Mistake: Add rings only if the queue holds one value now, and looks after it has unlocked: of two Adds at
//   once each sees two, and neither rings.
// Killed by: no-lost-wake-up
// Verdict: deadlock

package backpressure

func (p *Pump[T]) Add(v T) bool {
	if !p.push(v) {
		return false
	}
	if p.Len() == 1 {
		TrySend(p.wake, struct{}{})
	}
	return true
}
