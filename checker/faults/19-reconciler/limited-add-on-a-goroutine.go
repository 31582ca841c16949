//go:build ignore

// Mistake: What waits for the rate limiter anyway is passed on by a goroutine, so that the source need not wait.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.RateLimited {
		go q.PriorityQueue.AddWithOpts(o, items...)
		return
	}
	o.RateLimited = o.After <= 0
	q.PriorityQueue.AddWithOpts(o, items...)
}
