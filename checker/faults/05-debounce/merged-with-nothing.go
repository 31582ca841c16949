//go:build ignore

// Mistake: The first update is merged with a zero value, as if that were an empty batch.
// Killed by: merges-in-order
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		return
	}
	r.batch, r.pending, r.first = r.merge(r.batch, u), true, r.last
}
