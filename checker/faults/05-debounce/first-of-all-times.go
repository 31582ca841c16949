//go:build ignore

// Mistake: The time of the first update is remembered once and not for each batch.
// Killed by: each-batch-is-its-own
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		return
	}
	if r.first.IsZero() {
		r.first = r.last
	}
	r.batch, r.pending = u, true
}
