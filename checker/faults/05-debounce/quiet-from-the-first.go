//go:build ignore

// Mistake: The timer is set by the first update only: a burst that is longer than Quiet is cut in two.
// Killed by: burst-is-one-push
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	if r.pending {
		r.batch = r.merge(r.batch, u)
		return
	}
	r.last = time.Now()
	r.batch, r.pending, r.first = u, true, r.last
}
