//go:build ignore

// Mistake: A pod that had a node and is deleted makes room. It made it when it ended, and others were moved then.
// Killed by: wrong-events-do-not-wake
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type cache struct {
	nodes map[string]*node
	order []*node
	next  int
	pods  map[string]placement
	ended map[string]bool // the UIDs of pods that were on a node and have ended
}

func newCache() cache {
	return cache{nodes: map[string]*node{}, pods: map[string]placement{}, ended: map[string]bool{}}
}

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache.ended[pod.UID] {
		delete(s.cache.ended, pod.UID)
		s.queue.moveAll(time.Now())
	}
	s.remove(pod)
}

func (s *Scheduler) podSeen(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ended(pod):
		if s.cache.has(pod.UID) {
			s.cache.ended[pod.UID] = true
		}
		s.remove(pod)
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}
