//go:build ignore

// Mistake: Only the errors of a cut over HTTP/1.1 are known; one over HTTP/2 becomes an Error.
// Killed by: cut-in-the-middle
// Verdict: wrong-answer

package watchhttp

import (
	"errors"
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) read(in *lines) (event kit.Event[T], ok bool) {
	line, err := in.next()
	switch {
	case errors.Is(err, errTooLong):
		return unreadable[T](err), true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return event, false
	case err != nil:
		return unreadable[T](err), true
	}
	event, err = decode(s.typ, line)
	if err != nil {
		return unreadable[T](err), true
	}
	return event, true
}
