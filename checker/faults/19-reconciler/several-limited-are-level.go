//go:build ignore

// Mistake: Several requests that are added with one call are handed to AddRateLimited one by one, which takes no priority.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.After <= 0 && len(items) > 1 {
		for _, item := range items {
			q.AddRateLimited(item)
		}
		return
	}
	if o.After <= 0 {
		o.RateLimited = true
	}
	q.PriorityQueue.AddWithOpts(o, items...)
}
