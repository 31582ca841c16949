//go:build ignore

// Mistake: A change of metadata or status does not matter to a pod that is about to be tried: it is in its queue already.
// Killed by: conflict-tries-again
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
	e.gone = false
	if changed || e.in != &q.active {
		e.pod = pod
	}
	switch {
	case e.in == nil:
		e.changed = e.changed || changed
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		heap.Fix(e.in, e.index) // its turn may be another now
	}
}
