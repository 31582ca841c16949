//go:build ignore

// Mistake: The timer knows Quiet only, and Max is looked at when something else wakes the loop (as istiod
//   does).
// Killed by: max-bounds-the-wait
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) wake() <-chan time.Time {
	if !r.pending || r.pushing {
		return nil
	}
	r.timer.Reset(time.Until(r.last.Add(r.Quiet)))
	return r.timer.C
}
