//go:build ignore

// Mistake: The arguments of merge are swapped: the older change wins.
// Killed by: merges-in-order
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(u, r.batch)
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}
