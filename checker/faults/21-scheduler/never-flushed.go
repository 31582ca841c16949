//go:build ignore

// Mistake: Every event is on the list, so nobody can be forgotten (kubernetes#72122 was the fear that
//   somebody can).
// Killed by: flushed-after-five-minutes
// Verdict: wrong-answer

package scheduler

import (
	"math"
	"time"
)

func (q *queue) flush(now time.Time) time.Duration {
	next := time.Duration(math.MaxInt64)
	for _, h := range []*podHeap{&q.backoff} {
		for len(h.entries) > 0 && !now.Before(h.entries[0].until) {
			q.move(h.entries[0], now)
		}
		if len(h.entries) > 0 {
			next = min(next, h.entries[0].until.Sub(now))
		}
	}
	return next
}
