//go:build ignore

// Mistake: The queue in front has no priorities, whatever the one behind it has: what was listed comes with
//   the news.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func limit(queue kit.RateLimitingQueue[kit.Request]) kit.RateLimitingQueue[kit.Request] {
	return limitedQueue{queue}
}
