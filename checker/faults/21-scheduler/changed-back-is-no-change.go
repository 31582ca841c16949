//go:build ignore

// Mistake: A pod has changed if it is another at the end of the attempt than at the beginning. But the filters may have seen
//   it in between.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import (
	"container/heap"
	"maps"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type entry struct {
	pod      *kit.Pod
	taken    *kit.Pod
	failures int       // attempts that have failed
	rested   time.Time // when the backoff of the last failure is over

	// in is the heap, at index; nil while the pod is in flight.
	in    *podHeap
	index int
	order uint64    // among active pods: when it became active
	until time.Time // in the other heaps: when it leaves by itself

	// These count while the pod is in flight.
	began   uint64 // events when it was taken
	changed bool   // its own spec or labels have changed since
	gone    bool   // it is no longer pending: the attempt comes to nothing
}

func (q *queue) take() *entry {
	e := heap.Pop(&q.active).(*entry)
	q.inFlight++
	e.began, e.taken = q.events, e.pod
	return e
}

func (q *queue) overtaken(e *entry) bool {
	return e.began != q.events || !kit.Pods.SameSpec(e.taken, e.pod) || !maps.Equal(e.taken.Labels, e.pod.Labels)
}
