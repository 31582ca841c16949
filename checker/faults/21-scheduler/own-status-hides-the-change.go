//go:build ignore

// Mistake: An update with another phase is an update of the status, and moves nobody, though the spec has changed, too.
// Killed by: right-events-wake
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
	changed = changed && e.pod.Status.Phase == pod.Status.Phase
	e.pod, e.gone = pod, false
	switch {
	case e.in == nil:
		e.changed = e.changed || changed
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		heap.Fix(e.in, e.index) // its turn may be another now
	}
}
