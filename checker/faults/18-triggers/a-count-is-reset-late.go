//go:build ignore

// Mistake: Edge counts the events, so that a Work without any needs no lock. The count is set to zero after the events are taken:
//   an event that comes between the two is not counted.
// Killed by: notes-from-any-goroutine
// Verdict: wrong-answer

package triggers

import (
	"sync"
	"sync/atomic"
)

type Edge struct {
	cluster Cluster

	mu     sync.Mutex
	count  atomic.Int64
	events []Event
}

func (s *Edge) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
	s.count.Add(1)
}

func (s *Edge) Work() {
	if s.count.Load() == 0 {
		return
	}
	events := s.take()
	s.count.Store(0)
	for _, e := range events {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
