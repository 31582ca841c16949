//go:build ignore

// Mistake: A long list of items is added in a goroutine, so that the handler can go on.
// Killed by: add-never-blocks
// Verdict: wrong-answer

package priorityqueue

import "slices"

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	addAll := func(items []T) {
		for _, item := range items {
			q.add(item, priority, q.delay(o, item))
		}
	}
	if len(items) > 64 {
		go addAll(slices.Clone(items))
		return
	}
	addAll(items)
}
