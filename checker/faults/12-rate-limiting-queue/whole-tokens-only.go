//go:build ignore

// Mistake: Only whole tokens are added, and the rest of the time is thrown away with every call.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"math"
	"time"
)

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := math.Floor(now.Sub(r.last).Seconds() * r.qps)
	r.tokens = min(r.tokens+gained, r.burst)
	r.last = now
}
