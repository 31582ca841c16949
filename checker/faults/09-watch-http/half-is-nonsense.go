//go:build ignore

// Mistake: What is left before the end is taken for a line, as bufio.Scanner does: a cut becomes an Error.
// Killed by: cut-in-the-middle
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
	case err != nil && len(line) == 0:
		return event, false
	}
	event, err = decode(s.typ, line)
	if err != nil {
		return unreadable[T](err), true
	}
	return event, true
}
