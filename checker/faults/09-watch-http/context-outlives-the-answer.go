//go:build ignore

// Mistake: Only Stop cancels the request. After a watch that ended by itself the ctx of Watch keeps the
//   context of its request for as long as it lives.
// Killed by: stop-releases-everything
// Verdict: wrong-answer

package watchhttp

import (
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *stream[T]) run(body io.ReadCloser, maxEvent int) {
	defer close(s.result)
	defer body.Close()
	in := newLines(body, maxEvent)
	for {
		event, ok := s.read(in)
		if !ok || !s.send(event) || event.Type == kit.Error {
			return
		}
	}
}
