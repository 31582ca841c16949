//go:build ignore

// Mistake: The sender waits for its reader and for nothing else: after Stop it waits for ever
//   (kubernetes#38670, #25331).
// Killed by: stop-releases-everything
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *stream[T]) send(event kit.Event[T]) bool {
	s.result <- event
	return s.ctx.Err() == nil
}
