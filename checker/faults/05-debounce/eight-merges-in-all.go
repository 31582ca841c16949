//go:build ignore

// Mistake: Eight merges at a time are enough for the whole process, so that they do not use up the processors: a Run waits for the merge of
//   another.
// Killed by: one-push-at-a-time
// Verdict: deadlock

package debounce

import "time"

var merges = make(chan struct{}, 8)

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		merges <- struct{}{}
		defer func() { <-merges }()
		r.batch = r.merge(r.batch, u)
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}
