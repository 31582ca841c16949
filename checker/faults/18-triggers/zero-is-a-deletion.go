//go:build ignore

// Mistake: An event whose new state is zero is taken for the deletion of the app, at which Level need not look.
// Killed by: level-closes-the-gap
// Verdict: wrong-answer

package triggers

func (s *Level) Notify(e Event) {
	if e.New == (State{}) && e.Old != (State{}) {
		return
	}
	s.note(e.Key)
}
