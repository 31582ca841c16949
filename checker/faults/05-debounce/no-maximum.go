//go:build ignore

// Mistake: Every update starts the wait over, without a bound: a stream that is never quiet is never pushed.
// Killed by: max-bounds-the-wait
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at := r.last.Add(max(r.Quiet, 0))
	if latest := r.first.Add(r.Max); r.Max > 0 && latest.Before(at) {
		return at
	}
	return at
}
