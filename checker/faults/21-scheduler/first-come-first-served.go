//go:build ignore

// Mistake: The active queue is a queue, and a queue goes by arrival.
// Killed by: whose-turn-it-is
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func newQueue(less func(a, b *kit.Pod) bool, wake, ring func()) queue {
	byTurn := func(a, b *entry) bool {
		return a.order < b.order
	}
	byTime := func(a, b *entry) bool { return a.until.Before(b.until) }
	return queue{
		entries:       map[string]*entry{},
		active:        podHeap{less: byTurn},
		backoff:       podHeap{less: byTime},
		unschedulable: podHeap{less: byTime},
		wake:          wake,
		ring:          ring,
	}
}
