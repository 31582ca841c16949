//go:build ignore

// Mistake: merge is guarded by one lock in the whole process: a Run waits while another one merges.
// Killed by: one-push-at-a-time
// Verdict: deadlock

package debounce

import (
	"sync"
	"time"
)

var oneMerge sync.Mutex

func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		oneMerge.Lock()
		defer oneMerge.Unlock()
		r.batch = r.merge(r.batch, u)
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}
