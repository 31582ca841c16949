//go:build ignore

// Mistake: Where one write of an app fails, the next ones will fail too: Edge drops all its events of this Work.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	failed := map[string]bool{}
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 && !failed[e.Key] {
			failed[e.Key] = s.cluster.Scale(e.Key, n) != nil
		}
	}
}
