//go:build ignore

// Mistake: Edge keeps an event that failed and acts on it later, as if the moment had not passed.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			if s.cluster.Scale(e.Key, n) != nil {
				s.Notify(e)
			}
		}
	}
}
