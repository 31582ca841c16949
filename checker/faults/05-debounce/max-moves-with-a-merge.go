//go:build ignore

// Mistake: The time that merge takes is added to the time of the first update, as if the batch had not waited meanwhile.
// Killed by: max-bounds-the-wait
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		r.first = r.first.Add(time.Since(r.last))
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}
