//go:build ignore

// Mistake: Each notification about a pod in flight counts as a change of it, a resync and a new status too.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import (
	"container/heap"
	"maps"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (q *queue) set(pod *kit.Pod, now time.Time) {
	e := q.entries[pod.UID]
	if e == nil {
		e = &entry{pod: pod}
		q.entries[pod.UID] = e
		q.activate(e)
		return
	}
	changed := !kit.Pods.SameSpec(e.pod, pod) || !maps.Equal(e.pod.Labels, pod.Labels)
	e.pod, e.gone = pod, false
	switch {
	case e.in == nil:
		e.changed = true
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		heap.Fix(e.in, e.index)
	}
}
