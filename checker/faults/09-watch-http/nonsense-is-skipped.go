//go:build ignore

// Mistake: A line that can't be read is skipped: a change is lost in silence.
// Killed by: nonsense-ends-with-an-error
// Verdict: wrong-answer

package watchhttp

import (
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) read(in *lines) (event kit.Event[T], ok bool) {
	line, err := in.next()
	switch {
	case errors.Is(err, errTooLong):
		return unreadable[T](err), true
	case err != nil:
		return event, false
	}
	event, err = decode(s.typ, line)
	if err != nil {
		return s.read(in)
	}
	return event, true
}
