//go:build ignore

// Mistake: Every event is kept, and a number says from where on they are new.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

import "sync"

type Edge struct {
	cluster Cluster

	mu     sync.Mutex
	events []Event
	done   int
}

func (s *Edge) take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.events[s.done:]
	s.done = len(s.events)
	return events
}
