//go:build ignore

// Mistake: An event that nobody takes before the end of the context is dropped, and those behind it, which lie
//   in the buffer of the reader, are not: apply gets the sixth after the fourth.
// Killed by: resumes-without-loss-or-repeat
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *stream[T]) send(event kit.Event[T]) bool {
	select {
	case s.result <- event:
	case <-s.ctx.Done():
	}
	return true
}
