//go:build ignore

// Mistake: Edge takes an event like the one before for a copy of it; two pods that die one after the other
//   may look just so.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.events); n > 0 && s.events[n-1] == e {
		return
	}
	s.events = append(s.events, e)
}
