//go:build ignore

// Mistake: Work goes on until nothing is noted, and notes what failed: while Scale fails it does not return.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	for keys := s.take(); len(keys) > 0; keys = s.take() {
		for key := range keys {
			if err := s.reconcile(key); err != nil {
				s.note(key)
			}
		}
	}
}
