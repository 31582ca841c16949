//go:build ignore

// Mistake: Every watch has the shortest timeout: watches that were begun together end together.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import "math/rand/v2"

func (r *Reflector[T]) watchTimeout() int64 {
	shortest := r.options.MinWatchTimeout.Seconds()
	return int64(shortest * (1 + 0*rand.Float64()))
}
