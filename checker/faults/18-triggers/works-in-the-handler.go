//go:build ignore

// Mistake: Notify reconciles at once: why wait for a worker?
// Killed by: notify-only-notes
// Verdict: wrong-answer

package triggers

func (s *Level) Notify(e Event) {
	if s.reconcile(e.Key) != nil {
		s.note(e.Key)
	}
}
