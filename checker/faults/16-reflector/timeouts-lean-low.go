//go:build ignore

// Mistake: Of two random numbers one is as good as the other, and the smaller one is on the safe side: three of four
//   watches end in the first half of the time.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import "math/rand/v2"

func (r *Reflector[T]) watchTimeout() int64 {
	shortest := r.options.MinWatchTimeout.Seconds()
	return int64(shortest * (1 + min(rand.Float64(), rand.Float64())))
}
