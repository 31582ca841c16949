//go:build ignore

// Mistake: Edge cuts what it has acted on off the front of its array. Where newer events wait, the array stays,
//   with all of it.
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
	s.events = s.events[len(events):]
	if len(s.events) == 0 {
		s.events = nil
	}
}
