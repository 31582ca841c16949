//go:build ignore

// Mistake: All notes are wiped when the work is done, and with them those that came meanwhile.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			s.note(key)
		}
	}
	s.take()
}
