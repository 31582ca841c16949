//go:build ignore

// Mistake: The backoff doubles and doubles; after a day of failures a pod rests for a day.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import "time"

func backoffAfter(failures int) time.Duration {
	return initialBackoff << min(failures-1, 9)
}
