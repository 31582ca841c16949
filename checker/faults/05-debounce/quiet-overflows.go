//go:build ignore

// Mistake: Moments are counted in nanoseconds since 1970; with a Quiet that means never, the sum is negative and long past.
// Killed by: max-bounds-the-wait
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at := r.last.UnixNano() + int64(max(r.Quiet, 0))
	if r.Max > 0 {
		at = min(at, r.first.UnixNano()+int64(r.Max))
	}
	return time.Unix(0, at)
}
