//go:build ignore

// Mistake: An update is compared with the batch, to save a merge that changes nothing; values of a type without equality panic there.
// Killed by: merges-in-order
// Verdict: panic (any(x) == any(y) compiles for every type, and maps cannot be compared)

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if !r.pending {
		r.batch, r.pending, r.first = u, true, r.last
		return
	}
	if any(u) != any(r.batch) {
		r.batch = r.merge(r.batch, u)
	}
}
