//go:build ignore

// Mistake: A time.Duration is put where seconds are meant.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import "math/rand/v2"

func (r *Reflector[T]) watchTimeout() int64 {
	shortest := float64(r.options.MinWatchTimeout)
	return int64(shortest * (1 + rand.Float64()))
}
