//go:build ignore

// Mistake: What has come is computed in whole thousandths of a token. Nanoseconds by thousandths a second
//   pass 63 bits after some hours without a call: the balance of a quiet bucket comes out negative.
// Killed by: bucket-never-overfills
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := int64(now.Sub(r.last)) * int64(r.qps*1000)
	r.tokens = min(r.tokens+float64(gained)/1e12, r.burst)
	r.last = now
}
