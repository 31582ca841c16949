//go:build ignore

// Mistake: Work looks at once at what was noted meanwhile, and does not note again what fails then.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	var failed []string
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			failed = append(failed, key)
		}
	}
	for key := range s.take() {
		_ = s.reconcile(key)
	}
	s.note(failed...)
}
