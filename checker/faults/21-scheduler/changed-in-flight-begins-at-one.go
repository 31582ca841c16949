//go:build ignore

// Mistake: A pod that has changed while it was being tried is as good as new, so its failures begin at one again.
// Killed by: backoff-doubles
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
		if changed {
			e.changed, e.failures = true, 0
		}
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		heap.Fix(e.in, e.index) // its turn may be another now
	}
}
