//go:build ignore

// Mistake: An app that wants nothing and runs nothing after a change is gone: the cluster forgets it.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

func (w *world) apply(c Change) {
	before := w.apps[c.Key]
	after := State{Desired: before.Desired + c.Desired, Running: before.Running + c.Running}
	w.apps[c.Key] = after
	if after == (State{}) && before != after {
		delete(w.apps, c.Key)
	}
	for _, delay := range c.Delays {
		w.due[w.now+delay] = append(w.due[w.now+delay], Event{Key: c.Key, Old: before, New: after})
	}
}
