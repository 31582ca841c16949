//go:build ignore

// Mistake: An event is no failure, so the rate limiter is asked and made to forget at once.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedQueue) Add(item kit.Request) {
	q.AddRateLimited(item)
	q.Forget(item)
}
