//go:build ignore

// Mistake: append to a shared slice is taken for atomic.
// Killed by: notes-from-any-goroutine
// Verdict: data-race

package triggers

func (s *Edge) Notify(e Event) {
	s.events = append(s.events, e)
}
