//go:build ignore

// Mistake: Edge remembers an event whose Scale failed until another one succeeds. After the last event nothing
//   frees it.
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
			s.failed = nil
			if err := s.cluster.Scale(e.Key, n); err != nil {
				s.failed = &e
			}
		}
	}
}
