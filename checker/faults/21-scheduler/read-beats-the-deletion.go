//go:build ignore

// Mistake: Get has returned the pod, and it waits. So it is there, though a handler has reported after that read began that
//   it is gone.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type entry struct {
	pod      *kit.Pod
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
	gone    bool
	deleted bool // OnDelete was called for it
}

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.queue.entries[pod.UID]; e != nil {
		e.deleted = true
	}
	s.remove(pod)
}

func (b binding) settle(current *kit.Pod, err error) (again bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := err == nil && current.UID == b.pod.UID
	switch {
	case !b.cache.assumed(b.pod.UID):
	case same && counts(current):
		b.place(current)
	default:
		b.cache.remove(b.pod.UID)
		b.queue.moveAll(time.Now())
	}
	if kit.IsNotFound(err) || err == nil && !(same && pending(current)) {
		b.queue.done(b.entry)
		return false
	}
	if same && b.entry.deleted {
		b.entry.gone = false
	}
	if same {
		b.entry.pod = current
	}
	return b.queue.failed(b.entry, time.Now())
}
