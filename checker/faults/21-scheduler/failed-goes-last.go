//go:build ignore

// Mistake: An active pod that has failed before goes behind all that have not, whatever Less says.
// Killed by: whose-turn-it-is
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func newQueue(less func(a, b *kit.Pod) bool, wake, ring func()) queue {
	byTurn := func(a, b *entry) bool {
		if (a.failures == 0) != (b.failures == 0) {
			return a.failures == 0
		}
		return less(a.pod, b.pod) || !less(b.pod, a.pod) && a.order < b.order
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
