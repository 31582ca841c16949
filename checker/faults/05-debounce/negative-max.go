//go:build ignore

// Mistake: Only a Max of 0 is taken for none: with -1, which other APIs use for 'no limit', every update is
//   pushed alone.
// Killed by: zero-means-none
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at := r.last.Add(max(r.Quiet, 0))
	if latest := r.first.Add(r.Max); r.Max != 0 && latest.Before(at) {
		return latest
	}
	return at
}
