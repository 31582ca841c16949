//go:build ignore

// Mistake: Edge follows what the user wants and forgets that pods die.
// Killed by: edge-acts-on-each-change
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Desired - e.Old.Desired; n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
