//go:build ignore

// Mistake: An Error is sent without a look at the context: if nobody reads it, the goroutine stays after Stop.
// Killed by: nonsense-ends-with-an-error
// Verdict: goroutine-leak

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *stream[T]) send(event kit.Event[T]) bool {
	if event.Type == kit.Error {
		s.result <- event
		return true
	}
	select {
	case s.result <- event:
		return true
	case <-s.ctx.Done():
		return false
	}
}
