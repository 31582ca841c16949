//go:build ignore

// Mistake: A reader that takes nothing for two seconds is taken for gone, and its watch is ended.
// Killed by: slow-reader-holds-the-line
// Verdict: wrong-answer

package watchhttp

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) send(event kit.Event[T]) bool {
	select {
	case s.result <- event:
		return true
	case <-time.After(2 * time.Second):
		return false
	case <-s.ctx.Done():
		return false
	}
}
