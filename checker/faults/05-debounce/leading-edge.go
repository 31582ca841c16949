//go:build ignore

// Mistake: The first update after a pause is pushed at once and only those that follow are held back.
// Killed by: waits-for-quiet
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
	r.last = r.last.Add(-r.Quiet)
}
