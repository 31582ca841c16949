//go:build ignore

// Mistake: Edge uses its array again and does not clear it: after a burst it keeps every event that it has acted on.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	s.mu.Lock()
	events := s.events
	s.mu.Unlock()
	for _, e := range events {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events[:0], s.events[len(events):]...)
}
