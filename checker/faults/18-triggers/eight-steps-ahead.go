//go:build ignore

// Mistake: What is due is kept in a ring of eight steps: a notification that is late by more arrives a round too early.
// Killed by: steps-in-order
// Verdict: wrong-answer

package triggers

func (w *world) apply(c Change) {
	before := w.apps[c.Key]
	after := State{Desired: before.Desired + c.Desired, Running: before.Running + c.Running}
	w.apps[c.Key] = after
	for _, delay := range c.Delays {
		due := w.now + delay%8
		w.due[due] = append(w.due[due], Event{Key: c.Key, Old: before, New: after})
	}
}
