//go:build ignore

// Mistake: Edge acts at the end of Work on what came meanwhile, and does not leave out there what changes nothing.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
	for _, e := range s.take() {
		_ = s.cluster.Scale(e.Key, e.New.Missing()-e.Old.Missing())
	}
}
