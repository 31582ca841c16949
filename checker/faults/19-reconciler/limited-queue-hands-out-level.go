//go:build ignore

// Mistake: A source only adds, so what the queue in front of it hands out is not thought of, and has no priority.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) GetWithPriority() (kit.Request, int, bool) {
	item, shutdown := q.Get()
	return item, 0, shutdown
}
