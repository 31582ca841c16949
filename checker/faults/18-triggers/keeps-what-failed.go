//go:build ignore

// Mistake: Edge remembers the last event that failed, for somebody who debugs it, and with it the event.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

import "sync"

type Edge struct {
	cluster Cluster
	failed  *Event

	mu     sync.Mutex
	events []Event
}

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			if err := s.cluster.Scale(e.Key, n); err != nil {
				s.failed = &e
			}
		}
	}
}
