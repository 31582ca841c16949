//go:build ignore

// Mistake: A Max that is not set is taken for a maximum of no time at all.
// Killed by: zero-means-none
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at := r.last.Add(max(r.Quiet, 0))
	if latest := r.first.Add(r.Max); latest.Before(at) {
		return latest
	}
	return at
}
