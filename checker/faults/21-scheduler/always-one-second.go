//go:build ignore

// Mistake: Every failure costs one second, the first and the hundredth.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import "time"

func backoffAfter(failures int) time.Duration {
	return min(initialBackoff, maxBackoff)
}
