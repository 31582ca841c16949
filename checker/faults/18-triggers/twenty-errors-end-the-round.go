//go:build ignore

// Mistake: After twenty failed writes the API is down, and what Edge has not acted on yet is dropped as well.
// Killed by: edge-drifts-by-what-it-missed
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	failed := 0
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			if s.cluster.Scale(e.Key, n) != nil {
				failed++
			}
		}
		if failed == 20 {
			return
		}
	}
}
