//go:build ignore

// Mistake: A long wait is worth a line of the log, and the line asks the limiter a second time: the items that
//   have failed most often back off twice as fast.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"fmt"
	"time"
)

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	if wait > 100*time.Second {
		fmt.Println("a long wait:", item, q.limiter.When(item))
	}
	q.AddAfter(item, wait)
}
