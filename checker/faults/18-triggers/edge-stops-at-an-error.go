//go:build ignore

// Mistake: Work returns when a Scale fails, and the events behind it are dropped as well.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			if s.cluster.Scale(e.Key, n) != nil {
				return
			}
		}
	}
}
