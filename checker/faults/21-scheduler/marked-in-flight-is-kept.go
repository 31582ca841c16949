//go:build ignore

// Mistake: An attempt at a pod that is being deleted leaves the entry to OnDelete, which takes it off the map. But OnDelete may
//   have come during the attempt, and will not come again.
// Killed by: forgets-the-gone
// Verdict: wrong-answer

package scheduler

import (
	"container/heap"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type entry struct {
	pod      *kit.Pod
	failures int
	over     bool // the attempt at a pod that is being deleted has ended
	rested   time.Time

	in    *podHeap
	index int
	order uint64
	until time.Time

	began   uint64
	changed bool
	gone    bool
}

func (q *queue) done(e *entry) {
	q.inFlight--
	if e.over = e.pod.DeletionTimestamp != nil; !e.over {
		delete(q.entries, e.pod.UID)
	}
}

func (q *queue) remove(uid string) {
	e := q.entries[uid]
	switch {
	case e == nil:
	case e.over:
		delete(q.entries, uid)
	case e.in == nil:
		e.gone = true
	default:
		heap.Remove(e.in, e.index)
		delete(q.entries, uid)
	}
}

func (s *Scheduler) podSeen(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ended(pod):
		s.remove(pod)
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		if e := s.queue.entries[pod.UID]; e != nil {
			e.pod = pod
		}
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}
