//go:build ignore

// Mistake: A Max counts from 2 ns on: the comparison with 0 is off by one.
// Killed by: zero-means-none
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at := r.last.Add(max(r.Quiet, 0))
	if latest := r.first.Add(r.Max); r.Max > 1 && latest.Before(at) {
		return latest
	}
	return at
}
