//go:build ignore

// Mistake: A pod whose spec or labels have changed is active at once, though it has just failed.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import (
	"container/heap"
	"maps"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (q *queue) set(pod *kit.Pod, _ time.Time) {
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
	case e.in != &q.active && changed:
		heap.Remove(e.in, e.index)
		q.activate(e)
	default:
		heap.Fix(e.in, e.index)
	}
}
