//go:build ignore

// Mistake: While a push runs, the time of an update is noted when it has been merged: an overdue batch waits for quiet once more.
// Killed by: due-during-a-push
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		if r.pushing {
			r.last = time.Now()
		}
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}
