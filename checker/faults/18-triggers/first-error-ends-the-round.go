//go:build ignore

// Mistake: Work returns at the first error, and the notes it had taken are gone.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			s.note(key)
			return
		}
	}
}
