//go:build ignore

// Mistake: Work deals with the events that came meanwhile, in a second round, and does not think of the field that they are in.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

import "sync"

type Edge struct {
	cluster Cluster

	mu     sync.Mutex
	events []Event
	more   []Event
}

func (s *Edge) Work() {
	s.act(s.take())
	s.more = s.take()
	s.act(s.more)
}

func (s *Edge) act(events []Event) {
	for _, e := range events {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
