//go:build ignore

// Mistake: Whatever comes about a pod that waits counts as an event for those in flight, a status and a resync, too.
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
		e.changed = e.changed || changed
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		q.events++
		heap.Fix(e.in, e.index) // its turn may be another now
	}
}
