//go:build ignore

// Mistake: An event whose new state is zero is taken for the deletion of the app, of which nothing is left to stop.
// Killed by: edge-acts-on-each-change
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		if e.New == (State{}) {
			continue
		}
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
