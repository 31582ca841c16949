//go:build ignore

// Mistake: Work gives the lock back before it starts pods. The branch that stops them was written later, and keeps it.
// Killed by: notes-during-work-are-kept
// Verdict: deadlock

package triggers

func (s *Edge) Work() {
	for _, e := range s.take() {
		n := e.New.Missing() - e.Old.Missing()
		switch {
		case n > 0:
			_ = s.cluster.Scale(e.Key, n)
		case n < 0:
			s.mu.Lock()
			_ = s.cluster.Scale(e.Key, n)
			s.mu.Unlock()
		}
	}
}
