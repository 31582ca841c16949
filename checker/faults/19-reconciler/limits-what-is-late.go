//go:build ignore

// Mistake: Everything that is added is rate limited, also what has a date of its own.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	o.RateLimited = true
	q.PriorityQueue.AddWithOpts(o, items...)
}
