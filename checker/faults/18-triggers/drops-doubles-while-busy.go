//go:build ignore

// Mistake: While Work is under way, an event that equals the last one that waits is a copy of it, and need not be noted.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import "sync"

type Edge struct {
	cluster Cluster

	mu     sync.Mutex
	busy   bool
	events []Event
}

func (s *Edge) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.events); s.busy && n > 0 && s.events[n-1] == e {
		return
	}
	s.events = append(s.events, e)
}

func (s *Edge) set(busy bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = busy
}

func (s *Edge) Work() {
	s.set(true)
	defer s.set(false)
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
