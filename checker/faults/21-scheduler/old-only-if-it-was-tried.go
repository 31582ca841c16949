//go:build ignore

// Mistake: Only a pod that was being tried or bound can be shown in an old state. One that waited when somebody else bound
//   it, and is shown without a node, waits again.
// Killed by: old-news
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type cache struct {
	nodes  map[string]*node
	order  []*node
	next   int
	pods   map[string]placement
	rivals map[string]bool // pods that somebody else has bound while they were here
}

func (s *Scheduler) podSeen(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ended(pod):
		s.remove(pod)
	case counts(pod):
		if e := s.queue.entries[pod.UID]; e != nil && e.in != nil {
			if s.cache.rivals == nil {
				s.cache.rivals = map[string]bool{}
			}
			s.cache.rivals[pod.UID] = true
		}
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID) // if it is assumed, the end of its binding says what becomes of that
	case s.cache.has(pod.UID) && (s.queue.entries[pod.UID] != nil || !s.cache.rivals[pod.UID]):
		// Old news: we have given it a node since.
	default:
		s.queue.set(pod, time.Now())
	}
}

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cache.rivals, pod.UID)
	s.remove(pod)
}
