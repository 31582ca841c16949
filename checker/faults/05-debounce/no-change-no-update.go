//go:build ignore

// Mistake: An update that leaves the batch as it was does not count: the batch does not wait for quiet after it.
// Killed by: merges-in-order
// Verdict: wrong-answer

package debounce

import (
	"fmt"
	"time"
)

func (r *run[U]) add(u U) {
	now := time.Now()
	if r.pending {
		before := fmt.Sprint(r.batch)
		r.batch = r.merge(r.batch, u)
		if fmt.Sprint(r.batch) != before {
			r.last = now
		}
		return
	}
	r.batch, r.pending, r.first, r.last = u, true, now, now
}
