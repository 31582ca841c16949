//go:build ignore

// Mistake: Edge moves newer events to the front of its array. Where they are fewer than those that it has acted
//   on, some of these stay in the array, behind its length.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	s.mu.Lock()
	events := append([]Event(nil), s.events...)
	s.mu.Unlock()
	for _, e := range events {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events[:0], s.events[len(events):]...)
	if len(s.events) == 0 {
		s.events = nil
	}
}
