//go:build ignore

// Mistake: After five failed writes in a row the API is down, and the other apps can wait for the next Work.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	failed := 0
	for key := range s.take() {
		if failed == 5 {
			s.note(key)
			continue
		}
		if err := s.reconcile(key); err != nil {
			failed++
			s.note(key)
			continue
		}
		failed = 0
	}
}
