//go:build ignore

// Mistake: What merge returns is used while no push runs; during a push the batch is kept as it was, as if merge always changed its first argument.
// Killed by: merges-in-order
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if !r.pending {
		r.batch, r.pending, r.first = u, true, r.last
		return
	}
	merged := r.merge(r.batch, u)
	if !r.pushing {
		r.batch = merged
	}
}
