//go:build ignore

// Mistake: A request that has failed ten times is tried again anyway, so an event does not add it.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedQueue) Add(item kit.Request) {
	if q.NumRequeues(item) < 10 {
		q.AddRateLimited(item)
	}
}
