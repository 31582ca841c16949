//go:build ignore

// Mistake: A write that failed is forgotten, as if somebody read logs.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			continue
		}
	}
}
