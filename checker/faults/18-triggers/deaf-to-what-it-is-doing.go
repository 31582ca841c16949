//go:build ignore

// Mistake: An event that equals the one that Edge is acting on is a copy of it, and need not be noted.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import "sync"

type Edge struct {
	cluster Cluster

	mu     sync.Mutex
	acting Event
	events []Event
}

func (s *Edge) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e != s.acting {
		s.events = append(s.events, e)
	}
}

func (s *Edge) act(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acting = e
}

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			s.act(e)
			_ = s.cluster.Scale(e.Key, n)
			s.act(Event{})
		}
	}
}
