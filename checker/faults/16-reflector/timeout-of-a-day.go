//go:build ignore

// Mistake: No watch has a TimeoutSeconds of more than a day, whatever MinWatchTimeout says.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import "math/rand/v2"

func (r *Reflector[T]) watchTimeout() int64 {
	shortest := r.options.MinWatchTimeout.Seconds()
	return min(int64(shortest*(1+rand.Float64())), 24*3600)
}
