//go:build ignore

// Mistake: No filter looks at the image of a pod, so a change of it while the pod is being tried does not count. But it is a
//   change of the spec.
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
	before := e.pod
	e.pod, e.gone = pod, false
	switch {
	case e.in == nil:
		e.changed = e.changed || changed && before.Spec.Image == pod.Spec.Image
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		heap.Fix(e.in, e.index) // its turn may be another now
	}
}
