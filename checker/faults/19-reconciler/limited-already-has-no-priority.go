//go:build ignore

// Mistake: What is rate limited already is passed to AddRateLimited, which takes no priority.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if o.RateLimited && o.After > 0 {
		o.Priority = nil
	}
	if o.After <= 0 {
		o.RateLimited = true
	}
	q.PriorityQueue.AddWithOpts(o, items...)
}
