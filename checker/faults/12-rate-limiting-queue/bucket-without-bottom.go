//go:build ignore

// Mistake: Tokens pile up while nobody asks: a quiet night ends in a flood.
// Killed by: bucket-never-overfills
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := now.Sub(r.last).Seconds() * r.qps
	r.tokens += gained
	r.last = now
}
