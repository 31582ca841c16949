//go:build ignore

// Mistake: The ReplicaSet controller starts 500 pods at most at a time, so Edge does, too, one piece after the other.
// Killed by: edge-acts-on-each-change
// Verdict: wrong-answer

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		n := e.New.Missing() - e.Old.Missing()
		for n != 0 {
			piece := max(min(n, 500), -500)
			_ = s.cluster.Scale(e.Key, piece)
			n -= piece
		}
	}
}
