package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

// This file is given: with it the other files can treat every queue as one with
// priorities.

// withPriorities returns queue itself if it knows priorities. Otherwise it returns
// queue behind the methods of a queue that does: every priority is 0.
func withPriorities(queue kit.RateLimitingQueue[kit.Request]) kit.PriorityQueue[kit.Request] {
	if p, ok := queue.(kit.PriorityQueue[kit.Request]); ok {
		return p
	}
	return levelQueue{queue}
}

// levelQueue is a queue without priorities (controller-runtime's priorityQueueWrapper).
type levelQueue struct {
	kit.RateLimitingQueue[kit.Request]
}

// AddWithOpts looks at RateLimited before After: only the queue itself could take the
// shorter of the two.
func (q levelQueue) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	for _, item := range items {
		switch {
		case o.RateLimited:
			q.AddRateLimited(item)
		case o.After > 0:
			q.AddAfter(item, o.After)
		default:
			q.Add(item)
		}
	}
}

func (q levelQueue) GetWithPriority() (item kit.Request, priority int, shutdown bool) {
	item, shutdown = q.Get()
	return item, 0, shutdown
}
