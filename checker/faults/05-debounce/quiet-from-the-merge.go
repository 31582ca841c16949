//go:build ignore

// Mistake: The time of an update is noted when it has been merged; a slow merge makes the batch wait longer.
// Killed by: burst-is-one-push
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	if r.pending {
		r.batch = r.merge(r.batch, u)
		r.last = time.Now()
		return
	}
	r.last = time.Now()
	r.batch, r.pending, r.first = u, true, r.last
}
