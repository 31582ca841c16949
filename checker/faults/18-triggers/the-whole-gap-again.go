//go:build ignore

// Mistake: Edge takes the gap after the event for the change: of two events in a row the second starts the
//   pods of the first again.
// Killed by: edge-acts-on-each-change
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing(); n != 0 {
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}
