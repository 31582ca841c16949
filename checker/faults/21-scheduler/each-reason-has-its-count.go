//go:build ignore

// Mistake: A pod that was refused by all nodes and a pod that could not be bound have nothing to do with each other, so each reason
//   has a count of its own.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type entry struct {
	pod      *kit.Pod
	failures int
	refusals int // attempts that have found no node
	rested   time.Time

	in    *podHeap
	index int
	order uint64
	until time.Time

	began   uint64
	changed bool
	gone    bool
}

func (q *queue) refused(e *entry, now time.Time) bool {
	e.failures, e.refusals = e.refusals, e.failures
	waits := false
	if q.overtaken(e) {
		waits = q.failed(e, now)
	} else if waits = q.back(e, now); waits {
		q.put(&q.unschedulable, e, now.Add(maxUnschedulable))
	}
	e.failures, e.refusals = e.refusals, e.failures
	return waits
}
