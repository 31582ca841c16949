//go:build ignore

// Mistake: One Work looks at ten thousand apps at most, so that it does not take too long; the others stay noted.
// Killed by: notify-only-notes
// Verdict: wrong-answer

package triggers

func (s *Level) Work() {
	n := 0
	for key := range s.take() {
		if n++; n > 10000 {
			s.note(key)
			continue
		}
		if err := s.reconcile(key); err != nil {
			s.note(key)
		}
	}
}
