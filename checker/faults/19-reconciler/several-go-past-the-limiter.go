//go:build ignore

// Mistake: AddWithOpts is called with one request at a time, so that only this is thought of.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	if len(items) == 1 && o.After <= 0 {
		o.RateLimited = true
	}
	q.PriorityQueue.AddWithOpts(o, items...)
}
