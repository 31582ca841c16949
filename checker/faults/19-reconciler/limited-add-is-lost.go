//go:build ignore

// Mistake: The queue that a rate limited source gets asks the limiter when it takes AddWithOpts, and does nothing
//   for Add: what a handler adds that way is lost.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (q limitedPriorities) Add(item kit.Request) { q.NumRequeues(item) }
