//go:build ignore

// Mistake: A Max that is not set becomes the 10 s of istiod, instead of no bound.
// Killed by: zero-means-none
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at, bound := r.last.Add(max(r.Quiet, 0)), r.Max
	if bound <= 0 {
		bound = 10 * time.Second
	}
	if latest := r.first.Add(bound); latest.Before(at) {
		return latest
	}
	return at
}
