//go:build ignore

// Mistake: What stands behind the last newline is taken for half an event only if it begins like one. A proxy that ends a
//   stream with a page brings an Error, where there was an end.
// Killed by: cut-in-the-middle
// Verdict: wrong-answer

package watchhttp

import (
	"bytes"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) read(in *lines) (event kit.Event[T], ok bool) {
	line, err := in.next()
	tail := bytes.TrimSpace(line)
	switch {
	case errors.Is(err, errTooLong), err != nil && len(tail) > 0 && tail[0] != '{':
		return unreadable[T](err), true
	case err != nil:
		return event, false
	}
	event, err = decode(s.typ, line)
	if err != nil {
		return unreadable[T](err), true
	}
	return event, true
}
