//go:build ignore

// Mistake: Add is overridden. AddWithOpts comes from the embedded queue, and goes past the rate limiter.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	q.PriorityQueue.AddWithOpts(o, items...)
}
