//go:build ignore

// Mistake: An app that misses nothing needs no note, and so its note goes once more. One that came while the app
//   was read goes with it.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	if n == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.noted, key)
		return nil
	}
	return s.cluster.Scale(key, n)
}
