//go:build ignore

// Mistake: An event that undoes the one before it leaves nothing to do: Edge leaves out both.
// Killed by: edge-acts-on-each-change
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	events := s.take()
	for i := 0; i < len(events); i++ {
		e := events[i]
		if i+1 < len(events) && events[i+1] == (Event{Key: e.Key, Old: e.New, New: e.Old}) {
			i++
			continue
		}
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
