//go:build ignore

// Mistake: What the reader does not take at once is dropped: a send must not block.
// Killed by: slow-reader-holds-the-line
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *stream[T]) send(event kit.Event[T]) bool {
	select {
	case s.result <- event:
		return true
	default:
		return s.ctx.Err() == nil
	}
}
