//go:build ignore

// Mistake: A batch that is nil counts as no batch: when merge returns nil, nothing is pushed.
// Killed by: merges-in-order
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		r.pending = any(r.batch) != nil
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}
