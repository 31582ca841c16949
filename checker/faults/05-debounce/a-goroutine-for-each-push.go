//go:build ignore

// Mistake: Each batch is pushed in a goroutine of its own as soon as it is due, whatever is still running
//   (istio#16433).
// Killed by: one-push-at-a-time
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) due() bool {
	if !r.pending {
		return false
	}
	return r.closed || !time.Now().Before(r.deadline())
}

func (r *run[U]) wake() <-chan time.Time {
	if !r.pending {
		return nil
	}
	r.timer.Reset(time.Until(r.deadline()))
	return r.timer.C
}
