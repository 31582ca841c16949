//go:build ignore

// Mistake: What has to wait is added by AddAfter, which takes no priority.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.After > 0 && !o.RateLimited {
		for _, item := range items {
			q.AddAfter(item, o.After)
		}
		return
	}
	o.RateLimited = true
	q.PriorityQueue.AddWithOpts(o, items...)
}
