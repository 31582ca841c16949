//go:build ignore

// Mistake: The five minutes of an unschedulable pod begin anew with each notification about it.
// Killed by: flushed-after-five-minutes
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
		e.changed = e.changed || changed
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	case e.in == &q.unschedulable:
		e.until = now.Add(maxUnschedulable)
		heap.Fix(e.in, e.index)
	default:
		heap.Fix(e.in, e.index)
	}
}
